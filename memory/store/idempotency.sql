-- name: purge
-- What has expired, at most $3 rows at once.
DELETE FROM idempotency_keys WHERE user_id = $1 AND key IN (
    SELECT key FROM idempotency_keys WHERE user_id = $1 AND begun_at < $2
    ORDER BY begun_at LIMIT $3)

-- name: claim
-- A row where the request may be done now: nobody has claimed the key, or whoever did for this very
-- request never finished ($6), or what is there has expired ($7).
INSERT INTO idempotency_keys AS held (user_id, key, request, attempt, begun_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, key) DO UPDATE
SET request = excluded.request, attempt = excluded.attempt, begun_at = excluded.begun_at,
    status = NULL, outcome = NULL, ids = '{}', counts = '{}'
WHERE held.begun_at < $7
   OR (held.status IS NULL AND held.begun_at < $6 AND held.request = excluded.request)
RETURNING attempt

-- name: held
SELECT request, status, outcome, ids, counts FROM idempotency_keys WHERE user_id = $1 AND key = $2

-- name: finish
-- Not by an attempt whose place another has taken.
UPDATE idempotency_keys SET status = $4, outcome = $5, ids = $6::jsonb, counts = $7::jsonb
WHERE user_id = $1 AND key = $2 AND attempt = $3

-- name: release
DELETE FROM idempotency_keys
WHERE user_id = $1 AND key = $2 AND attempt = $3 AND status IS NULL

-- name: renew
-- The request is still under way.
UPDATE idempotency_keys SET begun_at = $4
WHERE user_id = $1 AND key = $2 AND attempt = $3 AND status IS NULL

-- name: sweep
-- What has expired, of all users.
DELETE FROM idempotency_keys WHERE begun_at < $1
