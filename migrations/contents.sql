-- name: readable
-- So that what one server writes as text is what another one writes.
SELECT set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
       set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
       set_config('extra_float_digits', '1', true), set_config('row_security', 'off', true),
       set_config('statement_timeout', '0', true)

-- name: sees_everything
SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user

-- name: is_superuser
SELECT rolsuper FROM pg_roles WHERE rolname = current_user

-- name: tables
SELECT format('%I.%I', nspname, relname) AS name
FROM pg_class AS relation JOIN pg_namespace AS space ON space.oid = relation.relnamespace
WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')
  AND nspname !~ '^pg_toast' AND nspname !~ '^pg_temp'
ORDER BY 1

-- name: contents
-- How many rows, and the sum of their digests: whatever their order, and without keeping them.
SELECT count(*) AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS digest
FROM ONLY {table} AS t

-- name: refuse_different
-- Fails where a table is not what is said of it, and takes the transaction in which it stands with it.
RESET search_path;
{readable};
DO $refuse$
DECLARE
    said record;
    same boolean;
    different text[] := ARRAY[]::text[];
BEGIN
    FOR said IN SELECT * FROM json_to_recordset({tables})
        AS said (name text, rows bigint, digest text)
    LOOP
        same := false;
        IF to_regclass(said.name) IS NOT NULL THEN
            EXECUTE format(
                $one$SELECT found.rows = $1 AND found.digest = $2 FROM ({contents}) AS found$one$,
                to_regclass(said.name)
            ) INTO same USING said.rows, said.digest;
        END IF;
        IF NOT same THEN
            different := different || said.name;
        END IF;
    END LOOP;
    IF different <> ARRAY[]::text[] THEN
        RAISE EXCEPTION '{words}%', array_to_string(different, ', ');
    END IF;
END
$refuse$;

-- name: about
SELECT current_setting('server_version') AS server,
       (SELECT max(version) FROM schema_migrations) AS schema_version,
       (SELECT pg_get_userbyid(relowner) FROM pg_class
        WHERE oid = 'schema_migrations'::regclass) AS owner

-- name: roles
-- Those that own something in this database, or have rights in it.
SELECT DISTINCT rolname AS name
FROM pg_shdepend JOIN pg_roles ON pg_roles.oid = refobjid
JOIN pg_database ON pg_database.oid = dbid
WHERE refclassid = 'pg_authid'::regclass AND datname = current_database()
  AND rolname !~ '^pg_'
ORDER BY 1

-- name: new_owner
-- Whose the database is, where what was restored belongs to a role that nobody logs in as here.
SELECT pg_get_userbyid(datdba) FROM pg_database
WHERE datname = current_database() AND pg_get_userbyid(datdba) <> $1::text
  AND EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND NOT rolcanlogin)

-- name: known_roles
SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)

-- name: others
-- Programs that use the database at this moment.
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND application_name LIKE 'keepsake%'
