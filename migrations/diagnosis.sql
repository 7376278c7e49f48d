-- name: server
SELECT current_setting('server_version_num')::integer AS version,
       current_setting('server_version') AS version_name,
       clock_timestamp() AS clock,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector_version,
       pg_size_pretty(pg_database_size(current_database())) AS size,
       current_user AS login

-- name: roles
-- The roles that programs act as, and whether this login may; a role that is not there is not in it.
SELECT rolname AS name, rolsuper OR rolbypassrls AS bypasses,
       pg_has_role(current_user, oid, 'SET') AS may_act
FROM pg_roles WHERE rolname IN ('keepsake_app', 'keepsake_worker')

-- name: roles_by_membership
SELECT rolname AS name, rolsuper OR rolbypassrls AS bypasses,
       pg_has_role(current_user, oid, 'MEMBER') AS may_act
FROM pg_roles WHERE rolname IN ('keepsake_app', 'keepsake_worker')

-- name: unprotected
-- Tables of users that row-level security does not guard, or does not guard from their owner.
SELECT relation.relname AS name
FROM pg_class AS relation JOIN pg_attribute ON attrelid = relation.oid
WHERE relation.relnamespace = 'public'::regnamespace AND relation.relkind IN ('r', 'p')
  AND attname = 'user_id' AND NOT attisdropped
  AND NOT (relation.relrowsecurity AND relation.relforcerowsecurity
           AND EXISTS (SELECT FROM pg_policy WHERE polrelid = relation.oid))
ORDER BY 1

-- name: backlog
-- As the worker: rows that wait for their vector, since when the oldest does, vectors of another model
-- than the database's, and jobs that were given up.
SELECT count(*) FILTER (WHERE needs_embedding) AS waiting,
       min(waiting_since) FILTER (WHERE needs_embedding) AS oldest,
       count(*) FILTER (WHERE NOT needs_embedding AND embedding_model IS DISTINCT FROM $1) AS other,
       (SELECT count(*) FROM pgqueuer WHERE status = 'failed') AS dead_jobs
FROM (SELECT needs_embedding, waiting_since, embedding_model FROM memory_items
      WHERE deleted_at IS NULL AND (needs_embedding OR embedding IS NOT NULL)
      UNION ALL
      SELECT needs_embedding, waiting_since, embedding_model FROM messages
      WHERE needs_embedding OR embedding IS NOT NULL) AS embedded
