-- name: end
INSERT INTO ended_sessions (id, ends_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING

-- name: sweep
-- What no clock takes for good any more; one may differ from this one by hours.
DELETE FROM ended_sessions WHERE ends_at < now() - interval '1 day'

-- name: has_ended
SELECT EXISTS (SELECT FROM ended_sessions WHERE id = $1)
