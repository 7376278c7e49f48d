-- name: tables
-- Every table with its columns by name: those that hold data, which a generated column does not, nor
-- one for the vectors of a model that is still being changed to. The order is that of the names.
SELECT relation.relname AS name,
       array_agg(attname::text ORDER BY attname COLLATE "C") AS columns,
       array_agg(format_type(atttypid, atttypmod) ORDER BY attname COLLATE "C") AS types,
       coalesce((SELECT array_agg(key.attname::text ORDER BY place)
                 FROM pg_index, unnest(indkey) WITH ORDINALITY AS keys (number, place)
                 JOIN pg_attribute AS key ON key.attnum = keys.number
                 WHERE indrelid = relation.oid AND indisprimary AND key.attrelid = relation.oid),
                '{}') AS key
FROM pg_class AS relation
JOIN pg_attribute AS held ON held.attrelid = relation.oid
WHERE relation.relnamespace = 'public'::regnamespace AND relation.relkind = 'r'
  AND relation.relname <> ALL ('{schema_migrations,embedding_profile}')
  AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  AND attname <> ALL ('{next_embedding,next_embedding_model}')
GROUP BY relation.oid ORDER BY relation.relname COLLATE "C"

-- name: references
-- Which table has to be filled before which.
SELECT DISTINCT child.relname AS child, parent.relname AS parent
FROM pg_constraint
JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
WHERE contype = 'f' AND child.oid <> parent.oid
  AND child.relnamespace = 'public'::regnamespace

-- name: about
SELECT (SELECT max(version) FROM schema_migrations) AS schema_version, model, dimensions
FROM embedding_profile

-- name: sees_everything
SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user

-- name: is_superuser
SELECT rolsuper FROM pg_roles WHERE rolname = current_user

-- name: others
-- Programs that use the database at this moment.
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND application_name LIKE 'keepsake%'

-- name: patience
-- A restore waits for nobody who holds a table, and takes as long as it takes.
SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '0', true),
       set_config('client_min_messages', 'error', true)

-- name: table_names
SELECT relname AS name FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                  AND objid = pg_class.oid AND deptype = 'e')

-- name: is_of_another_program
-- Whether something stands in the schema that our migrations cannot have made.
SELECT to_regclass('public.schema_migrations') IS NULL
   AND EXISTS (SELECT FROM pg_class
               WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
                 AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                                 AND objid = pg_class.oid AND deptype = 'e'))

-- name: empty_schema
-- All that stands in the schema, but what belongs to an extension. The names are read before the
-- first of them goes, since with it others may.
DO $empty$
DECLARE
    statement text;
BEGIN
    FOREACH statement IN ARRAY ARRAY(
        SELECT format('DROP %s IF EXISTS %s CASCADE',
                      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                                   WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                          AND objid = pg_class.oid AND deptype IN ('e', 'i', 'a'))
        UNION ALL
        SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass
                          AND objid = pg_proc.oid AND deptype = 'e')
        UNION ALL
        SELECT format('DROP TYPE IF EXISTS %s CASCADE', oid::regtype) FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass
                          AND objid = pg_type.oid AND deptype = 'e'))
    LOOP
        EXECUTE statement;
    END LOOP;
END
$empty$

-- name: unforce
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY

-- name: any_row
SELECT EXISTS (SELECT FROM {table})

-- name: make_loader
-- A role that may do nothing but fill these tables, and is gone before anybody else can see it.
CREATE ROLE {role} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
GRANT {role} TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO {role};
GRANT INSERT ON ALL TABLES IN SCHEMA public TO {role};
SET LOCAL ROLE {role}

-- name: drop_loader
RESET ROLE;
DROP OWNED BY {role};
DROP ROLE {role}

-- name: go_on_counting
-- Whoever writes the next row gets the next number.
SELECT setval(pg_get_serial_sequence(table_name, column_name), greatest({column}, 1))
FROM (SELECT $1::text AS table_name, $2::text AS column_name) AS numbered,
     (SELECT max({column}) AS {column} FROM {table}) AS last
WHERE {column} IS NOT NULL

-- name: numbered
SELECT relation.relname AS name, attname AS column
FROM pg_attribute JOIN pg_class AS relation ON relation.oid = attrelid
WHERE relation.relnamespace = 'public'::regnamespace AND relation.relkind = 'r'
  AND NOT attisdropped AND attnum > 0
  AND pg_get_serial_sequence(attrelid::regclass::text, attname) IS NOT NULL
