-- name: renew
-- Those of the jobs that are still the holder's ($2): nobody else takes them for a whole lease.
UPDATE pgqueuer SET heartbeat = now()
WHERE id = ANY ($1::bigint[]) AND status = 'picked' AND queue_manager_id = $2
RETURNING id

-- name: take
-- Counts before the work begins that a job is begun, at most $3 times; how often it was before and did
-- not come back. No row where it is another's by now.
UPDATE pgqueuer AS job SET takings = least(job.takings + 1, $3)
FROM (SELECT id, takings FROM pgqueuer WHERE id = $1) AS before
WHERE job.id = before.id AND job.status = 'picked' AND job.queue_manager_id = $2
RETURNING before.takings

-- name: put_back
-- To be tried again after $3, where it is still the holder's. $4: whether it failed; $5: whether it came
-- back, so that its taking is not left counted; $6: why, as pgqueuer notes it down.
WITH back AS (
    UPDATE pgqueuer
    SET status = 'queued', queue_manager_id = NULL, updated = now(), execute_after = now() + $3,
        attempts = attempts + $4::boolean::integer, takings = takings - $5::boolean::integer
    WHERE id = $1 AND status = 'picked' AND queue_manager_id = $2
    RETURNING id, entrypoint, priority)
INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority, traceback)
SELECT id, 'queued', entrypoint, priority, $6::jsonb FROM back

-- name: give_back_all
UPDATE pgqueuer
SET status = 'queued', queue_manager_id = NULL, updated = now(), takings = greatest(takings - 1, 0)
WHERE status = 'picked' AND queue_manager_id = $1
