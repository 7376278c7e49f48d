-- name: lock_user
-- One writer of a user's memories at a time; the same lock as items.sql takes.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: reach
-- The named memories ($2) with what goes where they go: what they replaced, step by step, and the
-- roll-ups that tell of any of them. What such a roll-up tells besides is not followed.
WITH RECURSIVE versions AS (
    SELECT id FROM memory_items WHERE user_id = $1 AND id = ANY ($2)
    UNION
    SELECT older.id FROM memory_items AS older JOIN versions ON older.superseded_by = versions.id
    WHERE older.user_id = $1
), reached AS (
    SELECT id FROM versions
    UNION
    SELECT roll_up.id FROM memory_items AS roll_up
    JOIN reached ON reached.id = ANY (roll_up.summary_of)
    WHERE roll_up.user_id = $1
)
SELECT {columns}, embedding, removed_because IS NOT DISTINCT FROM 'forgotten' AS forgotten
FROM memory_items JOIN reached USING (id)
WHERE user_id = $1
ORDER BY array_position($2, id) NULLS LAST, created_at DESC, id

-- name: take_out
-- Out of every recall and listing at once; the row stays for an undo.
UPDATE memory_items SET deleted_at = $3, removed_because = 'forgotten'
WHERE user_id = $1 AND id = ANY ($2)

-- name: close_doubts
UPDATE doubts SET answered_at = $3
WHERE user_id = $1 AND answered_at IS NULL AND (older_id = ANY ($2) OR newer_id = ANY ($2))

-- name: bury
INSERT INTO tombstones (user_id, item_id, space, digest, simhash, sketch, history,
                        created_at, expires_at, erase_after)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: hasten
-- What was forgotten before and is now to go at once.
UPDATE tombstones SET erase_after = $3, history = $4
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL

-- name: last_forgotten
-- What the newest forgetting took that can still be undone.
SELECT item_id FROM tombstones
WHERE user_id = $1 AND erased_at IS NULL AND created_at = (
    SELECT max(created_at) FROM tombstones WHERE user_id = $1 AND erased_at IS NULL)

-- name: unbury
DELETE FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL
RETURNING item_id

-- name: bring_back
UPDATE memory_items SET deleted_at = NULL, removed_because = NULL
WHERE user_id = $1 AND id = ANY ($2)

-- name: reopen_doubts
-- A doubt that was closed without an answer stands again where both its memories do.
UPDATE doubts SET answered_at = NULL
WHERE user_id = $1 AND answer IS NULL AND (older_id = ANY ($2) OR newer_id = ANY ($2))
  AND NOT EXISTS (
      SELECT FROM memory_items
      WHERE user_id = $1 AND id IN (older_id, newer_id) AND deleted_at IS NOT NULL)

-- name: users_with_due
SELECT DISTINCT user_id FROM tombstones WHERE erased_at IS NULL AND erase_after <= $1
ORDER BY user_id
