-- name: expire_tombstones
-- Of what was erased before $2 and may be said again: nothing is left of it but the proof.
DELETE FROM tombstones
WHERE user_id = $1 AND erased_at < $2 AND expires_at < $2

-- name: expire_audit
SELECT expire_audit($1)
