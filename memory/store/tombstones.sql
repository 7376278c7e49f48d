-- name: standing
-- The tombstones of a space that still keep something out.
SELECT item_id, digest, simhash, sketch, created_at, expires_at
FROM tombstones WHERE user_id = $1 AND space = $2 AND expires_at > now()

-- name: lift
-- The user wants it back: nothing is kept out any more, the record of the forgetting stays.
UPDATE tombstones SET expires_at = now() WHERE user_id = $1 AND item_id = ANY ($2)
