-- name: request_job
-- For the user of the transaction and for no other; see put_job() in migrations/functions.sql.
SELECT request_job($1, $2) WHERE current_setting('app.user_id', true) = $3

-- name: put_jobs
-- One job of that kind for each user, an empty name for everything. For the worker alone.
SELECT put_job($1, convert_to(whose, 'UTF8'), $2, $3) FROM unnest($4::text[]) AS wanted (whose)

-- name: put_missing
-- One job of that kind for each user ($2) whose work is not being done at this moment, and was not
-- given up since $3: what fails for good is tried again a few times a day, not every minute.
SELECT put_job($1, convert_to(whose, 'UTF8'), interval '0', true)
FROM unnest($2::text[]) AS wanted (whose)
WHERE NOT EXISTS (
    SELECT FROM pgqueuer AS job
    WHERE job.entrypoint = $1 AND job.payload = convert_to(whose, 'UTF8')
      AND (job.status = 'picked' OR (job.status = 'failed' AND job.updated > $3)))

-- name: users_lacking_vectors
-- Whose rows wait for their vector since before $1, at most $2 users.
SELECT DISTINCT user_id FROM (
    SELECT user_id FROM memory_items
    WHERE needs_embedding AND deleted_at IS NULL AND waiting_since < $1
    UNION ALL
    SELECT user_id FROM messages WHERE needs_embedding AND waiting_since < $1) AS waiting
ORDER BY user_id LIMIT $2

-- name: backlog
-- How many rows wait for their vector, and since when the oldest of them does.
SELECT 'items' AS noun, count(*) AS count, min(waiting_since) AS oldest
FROM memory_items WHERE needs_embedding AND deleted_at IS NULL
UNION ALL
SELECT 'messages', count(*), min(waiting_since) FROM messages WHERE needs_embedding

-- name: states
SELECT status::text AS status, count(*) AS count FROM pgqueuer GROUP BY status

-- name: listed
-- Jobs by when they begin, those given up ($1: they alone) by when that was, with why the last
-- attempt failed. Attempts are those that failed, those that never came back and the one in hand.
SELECT job.id, job.entrypoint AS name, convert_from(job.payload, 'UTF8') AS whose,
       job.status::text AS status, job.attempts + job.takings AS attempts, job.created,
       job.execute_after, job.updated,
       (SELECT log.traceback ->> 'exception_message' FROM pgqueuer_log AS log
        WHERE log.job_id = job.id AND log.traceback IS NOT NULL
        ORDER BY log.created DESC, log.id DESC LIMIT 1) AS reason
FROM pgqueuer AS job
WHERE NOT $1 OR job.status = 'failed'
ORDER BY job.status, CASE WHEN job.status = 'failed' THEN job.updated ELSE job.execute_after END,
         job.id
LIMIT $2

-- name: requeue
-- Of those given up: all, or those named.
UPDATE pgqueuer
SET status = 'queued', attempts = 0, takings = 0, execute_after = now(), updated = now(),
    created = now(), queue_manager_id = NULL
WHERE status = 'failed' AND ($1::bigint[] IS NULL OR id = ANY ($1))
RETURNING id

-- name: drop
-- Of those given up.
DELETE FROM pgqueuer WHERE status = 'failed' AND id = ANY ($1) RETURNING id

-- name: drop_older
-- Of one kind and user the newest failure tells enough.
DELETE FROM pgqueuer AS older USING pgqueuer AS job
WHERE job.id = $1 AND older.status = 'failed' AND older.id <> job.id
  AND older.entrypoint = job.entrypoint AND older.payload = job.payload

-- name: sweep_log
-- Why a job was given up is kept as long as the job is.
DELETE FROM pgqueuer_log
WHERE created < $1 AND job_id NOT IN (SELECT id FROM pgqueuer WHERE status = 'failed')

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
