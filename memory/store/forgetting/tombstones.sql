-- name: standing
-- The tombstones of some spaces that still keep something out.
SELECT space, item_id, digest, simhash, sketch, created_at, expires_at,
       erased_at IS NULL AND EXISTS (
           SELECT FROM memory_items AS item
           WHERE item.user_id = $1 AND item.id = tombstones.item_id) AS can_return
FROM tombstones WHERE user_id = $1 AND space = ANY ($2) AND expires_at > now()

-- name: lift
-- The user wants it back: nothing is kept out any more, the record of the forgetting stays, and an
-- erasure that is still to come leaves the conversations as they are.
UPDATE tombstones
SET expires_at = now(), history = CASE WHEN erased_at IS NULL THEN 'keep' ELSE history END
WHERE user_id = $1 AND item_id = ANY ($2)
