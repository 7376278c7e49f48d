-- name: add
INSERT INTO api_keys (user_id, digest, name, expires_at) VALUES ($1, $2, $3, $4)
RETURNING id, name, created_at, expires_at, revoked_at, last_used_on

-- name: read_all
-- Revoked and expired ones too, the newest first.
SELECT id, name, created_at, expires_at, revoked_at, last_used_on
FROM api_keys WHERE user_id = $1 ORDER BY created_at DESC, id

-- name: read
SELECT id, name, created_at, expires_at, revoked_at, last_used_on
FROM api_keys WHERE user_id = $1 AND id = $2
FOR UPDATE

-- name: revoke
UPDATE api_keys SET revoked_at = now() WHERE user_id = $1 AND id = $2
RETURNING id, name, created_at, expires_at, revoked_at, last_used_on

-- name: find
SELECT holder, id, expires_at, last_used_on FROM find_api_key($1)

-- name: lives
SELECT EXISTS (
    SELECT FROM api_keys
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()))

-- name: note_use
UPDATE api_keys SET last_used_on = $3
WHERE user_id = $1 AND id = $2 AND (last_used_on IS NULL OR last_used_on < $3)

-- name: end
INSERT INTO ended_sessions (id, ends_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING

-- name: sweep
-- What no clock takes for good any more; one may differ from this one by hours.
DELETE FROM ended_sessions WHERE ends_at < now() - interval '1 day'

-- name: has_ended
SELECT EXISTS (SELECT FROM ended_sessions WHERE id = $1)
