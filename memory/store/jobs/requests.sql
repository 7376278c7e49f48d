-- name: request_job
-- For the user of the transaction and for no other; see put_job() in migrations/0013_queue.sql.
SELECT request_job($1, $2) WHERE current_setting('app.user_id', true) = $3

-- name: put_jobs
-- One job of that kind for each user, an empty name for everything. For the worker alone.
SELECT put_job($1, convert_to(whose, 'UTF8'), $2, $3) FROM unnest($4::text[]) AS wanted (whose)
