-- name: lock_user
-- One writer of a user's memories at a time; the same lock as items.sql takes.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: take_out
-- Out of every recall and listing at once; the row stays for an undo. Since when it is out stays
-- with what was out before.
UPDATE memory_items SET deleted_at = coalesce(deleted_at, $3), removed_because = 'forgotten'
WHERE user_id = $1 AND id = ANY ($2)

-- name: close_doubts
UPDATE doubts SET answered_at = $3
WHERE user_id = $1 AND answered_at IS NULL AND (older_id = ANY ($2) OR newer_id = ANY ($2))

-- name: bury
INSERT INTO tombstones (user_id, item_id, space, digest, simhash, sketch, was_trimmed,
                        removed_because, history, created_at, expires_at, erase_after)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- name: hasten
-- What was forgotten before and is now to go at once; of roll-ups that only go along ($5) the
-- conversations stay out of it.
UPDATE tombstones
SET erase_after = $3, history = CASE WHEN item_id = ANY ($5) THEN history ELSE $4 END
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL

-- name: users_with_due
SELECT DISTINCT user_id FROM tombstones WHERE erased_at IS NULL AND erase_after <= $1
ORDER BY user_id
