-- name: read_profile
SELECT model, dimensions, next_model, next_dimensions FROM embedding_profile

-- name: announce
UPDATE embedding_profile SET next_model = $1, next_dimensions = $2

-- name: withdraw
UPDATE embedding_profile SET next_model = NULL, next_dimensions = NULL

-- name: succeed
UPDATE embedding_profile
SET model = $1, dimensions = $2, next_model = NULL, next_dimensions = NULL

-- name: is_in_use
-- By a program of Keepsake's with a pool, see `application_name` of memory/store/database.py.
SELECT EXISTS (SELECT FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()
                 AND application_name LIKE 'keepsake%')

-- name: is_bound
-- As the worker, who sees no vectors of episodes.
SELECT EXISTS (SELECT FROM embedding_profile WHERE next_model IS NOT NULL)
    OR EXISTS (SELECT FROM memory_items
               WHERE embedding IS NOT NULL OR (embedding_model IS NOT NULL AND NOT needs_embedding))
    OR EXISTS (SELECT FROM messages
               WHERE embedding IS NOT NULL OR (embedding_model IS NOT NULL AND NOT needs_embedding))

-- name: was_embedded
-- A model's name alone stands where its vector was taken away again, or where it refused the text.
SELECT EXISTS (SELECT FROM {table}
               WHERE embedding IS NOT NULL OR (embedding_model IS NOT NULL AND NOT needs_embedding))

-- name: see_all
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY

-- name: see_own
ALTER TABLE {table} FORCE ROW LEVEL SECURITY

-- name: add_vectors
-- A new column costs no time: no row is written for it. No statistics, as in 0023.
ALTER TABLE {table} ADD COLUMN next_embedding halfvec({dimensions});
ALTER TABLE {table}
    ALTER COLUMN next_embedding SET STORAGE {storage},
    ALTER COLUMN next_embedding SET STATISTICS 0

-- name: add_models
ALTER TABLE {table} ADD COLUMN next_embedding_model text

-- name: have_filled
-- The worker fills the column, and what is changed meanwhile loses what stands in it.
GRANT UPDATE (next_embedding, next_embedding_model) ON {table} TO keepsake_worker;
CREATE TRIGGER drop_next_vector BEFORE UPDATE ON {table} FOR EACH ROW
    WHEN (OLD.content IS DISTINCT FROM NEW.content
          OR (OLD.embedding IS NOT NULL AND NEW.embedding IS NULL))
    EXECUTE FUNCTION drop_next_vector()

-- name: drop_index
DROP INDEX CONCURRENTLY IF EXISTS idx_{table}_next_embedding

-- name: make_index
-- Of the rows that have no new vector yet: those that are left are found at once, at the swap too.
CREATE INDEX CONCURRENTLY idx_{table}_next_embedding ON {table} (user_id, id)
    WHERE next_embedding IS NULL

-- name: drop_vectors
DROP TRIGGER IF EXISTS drop_next_vector ON {table};
ALTER TABLE {table} DROP COLUMN next_embedding, DROP COLUMN IF EXISTS next_embedding_model

-- name: mark
-- Which rows wait for their vector after the swap. Row-level security binds the owner too, but for
-- this transaction, in which nobody else can see the table.
DROP TRIGGER IF EXISTS drop_next_vector ON {table};
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
UPDATE {table} SET needs_embedding = true
WHERE next_embedding IS NULL AND embedding IS NOT NULL AND NOT needs_embedding;
UPDATE {table} SET needs_embedding = false WHERE next_embedding IS NOT NULL AND needs_embedding;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY

-- name: swap_vectors
-- The storage is that of rows that are written from now on: those that are there stay as they are.
DROP INDEX IF EXISTS idx_{table}_next_embedding;
ALTER TABLE {table} DROP COLUMN embedding;
ALTER TABLE {table} RENAME COLUMN next_embedding TO embedding;
ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE {storage}

-- name: swap_models
ALTER TABLE {table} DROP COLUMN embedding_model;
ALTER TABLE {table} RENAME COLUMN next_embedding_model TO embedding_model

-- name: vector_tables
SELECT relation.relname AS name, vector.atttypmod AS dimensions,
       vector.attstorage = 'p' AS within_row,
       EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation.oid AND NOT attisdropped
               AND attname = 'embedding_model') AS has_model,
       EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation.oid AND NOT attisdropped
               AND attname = 'next_embedding') AS has_next
FROM pg_attribute AS vector JOIN pg_class AS relation ON relation.oid = vector.attrelid
WHERE vector.attname = 'embedding' AND vector.atttypid = 'halfvec'::regtype
  AND NOT vector.attisdropped AND relation.relkind IN ('r', 'p')
  AND relation.relnamespace = 'public'::regnamespace
ORDER BY relation.relname

-- name: triggers
-- Those that name the columns, and would keep them from being dropped.
SELECT DISTINCT quote_ident(tgname) AS name, pg_get_triggerdef(pg_trigger.oid) AS definition
FROM pg_trigger JOIN pg_depend ON classid = 'pg_trigger'::regclass AND objid = pg_trigger.oid
JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
WHERE refclassid = 'pg_class'::regclass AND refobjid = $1::text::regclass AND NOT tgisinternal
  AND attname IN ('embedding', 'embedding_model')

-- name: rights
-- Rights on the columns alone, which would go with them.
SELECT format('%s (%I)', privilege_type, attname) AS right,
       CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
FROM pg_attribute, aclexplode(attacl)
WHERE attrelid = $1::text::regclass AND attname IN ('embedding', 'embedding_model')
