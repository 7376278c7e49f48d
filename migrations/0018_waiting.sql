-- Since when a row waits for its vector, which is not its age: what is imported, restored, reworded
-- or made anew for another model waits from then on. A constant default rewrites no row.
ALTER TABLE memory_items ADD COLUMN waiting_since timestamptz NOT NULL DEFAULT now();
ALTER TABLE messages ADD COLUMN waiting_since timestamptz NOT NULL DEFAULT now();

CREATE FUNCTION wait_anew() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    NEW.waiting_since := now();
    RETURN NEW;
END $$;

CREATE TRIGGER items_wait_anew BEFORE UPDATE OF needs_embedding ON memory_items
    FOR EACH ROW WHEN (NEW.needs_embedding AND NOT OLD.needs_embedding)
    EXECUTE FUNCTION wait_anew();
CREATE TRIGGER messages_wait_anew BEFORE UPDATE OF needs_embedding ON messages
    FOR EACH ROW WHEN (NEW.needs_embedding AND NOT OLD.needs_embedding)
    EXECUTE FUNCTION wait_anew();

-- The function of 0013, where an erasure goes before all else: it was promised for its time. Owner
-- and rights stay as they are.
CREATE OR REPLACE FUNCTION put_job(name text, whose bytea, after interval, urgent boolean)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE wanted timestamptz := now() + after;
BEGIN
    IF name !~ '^[a-z_]{1,60}$' OR after NOT BETWEEN interval '0' AND interval '400 days' THEN
        RAISE EXCEPTION 'no such job' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF whose = '' THEN
        PERFORM FROM pgqueuer AS job
        WHERE job.entrypoint = name AND job.payload = whose AND job.status = 'picked';
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    PERFORM FROM pgqueuer AS job
    WHERE job.entrypoint = name AND job.payload = whose AND job.status = 'queued'
      AND (job.execute_after <= wanted OR job.attempts > 0)
    LIMIT 1 FOR KEY SHARE SKIP LOCKED;
    IF NOT FOUND THEN
        INSERT INTO pgqueuer (priority, execute_after, status, entrypoint, payload)
        VALUES (CASE WHEN name = 'memory_erase' THEN 2 WHEN urgent THEN 1 ELSE 0 END,
                wanted, 'queued', name, whose);
    END IF;
END $$;
