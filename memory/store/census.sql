-- name: banks
-- Living memories of all users by bank.
SELECT bank, count(*) AS count FROM memory_items
WHERE deleted_at IS NULL AND superseded_by IS NULL GROUP BY bank ORDER BY bank

-- name: jobs
-- dead: it failed as often as it may, and waits for somebody to look at it.
SELECT CASE status WHEN 'queued' THEN CASE WHEN execute_after <= now() THEN 'waiting' ELSE 'later' END
                   WHEN 'picked' THEN 'running' ELSE 'dead' END AS state, count(*) AS count
FROM pgqueuer WHERE status IN ('queued', 'picked', 'failed') GROUP BY 1

-- name: backlog
-- Rows of all users that wait for their vector, and since when the oldest of them, in seconds.
SELECT 'items' AS noun, count(*) AS count,
       coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
FROM memory_items WHERE needs_embedding AND deleted_at IS NULL
UNION ALL
SELECT 'messages', count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
FROM messages WHERE needs_embedding
