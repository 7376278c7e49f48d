-- name: install
-- Puts a function now() before the server's own for every connection made after it, also where a
-- column's default has already been bound to that one. What names its own search path, as the queue
-- does, keeps the true time.
CREATE SCHEMA simulated;
GRANT USAGE ON SCHEMA simulated TO PUBLIC;
CREATE TABLE simulated.clock (ahead interval NOT NULL);
GRANT SELECT ON simulated.clock TO PUBLIC;
INSERT INTO simulated.clock VALUES ('0');
CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE
    RETURN pg_catalog.now() + (SELECT ahead FROM simulated.clock);
DO $$
DECLARE named record;
BEGIN
    FOR named IN SELECT table_name, column_name FROM information_schema.columns
                 WHERE table_schema = 'public' AND column_default = 'now()' LOOP
        EXECUTE format('ALTER TABLE public.%I ALTER COLUMN %I SET DEFAULT simulated.now()',
                       named.table_name, named.column_name);
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET search_path = simulated, pg_catalog, "$user", public',
                   current_database());
END $$

-- name: set_ahead
UPDATE simulated.clock SET ahead = $1
