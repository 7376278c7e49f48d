-- name: last_forgotten
-- What the newest forgetting took that can still be undone.
SELECT item_id FROM tombstones
WHERE user_id = $1 AND erased_at IS NULL AND created_at = (
    SELECT max(created_at) FROM tombstones WHERE user_id = $1 AND erased_at IS NULL)

-- name: tells_of_the_forgotten
-- Of what is to come back ($2) the roll-ups made of something that is forgotten and is not among it,
-- and the roll-ups of those.
WITH RECURSIVE telling AS (
    SELECT roll_up.id FROM memory_items AS roll_up
    JOIN memory_items AS told ON told.user_id = $1 AND told.id = ANY (roll_up.summary_of)
    WHERE roll_up.user_id = $1 AND roll_up.id = ANY ($2)
      AND told.removed_because = 'forgotten' AND told.id <> ALL ($2)
    UNION
    SELECT above.id FROM memory_items AS above
    JOIN telling ON telling.id = ANY (above.summary_of)
    WHERE above.user_id = $1 AND above.id = ANY ($2)
)
SELECT id FROM telling

-- name: unbury
-- Those of $2 that wait; a copy ($3) only where one of the others was forgotten together with it.
DELETE FROM tombstones
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL
  AND (item_id <> ALL ($3) OR created_at IN (
      SELECT created_at FROM tombstones
      WHERE user_id = $1 AND item_id = ANY ($2) AND item_id <> ALL ($3)))
RETURNING item_id, CASE WHEN was_trimmed THEN coalesce(removed_because, 'trimmed') END AS why

-- name: bring_back
-- What was out of recall before it was forgotten, because of $3, is so again.
UPDATE memory_items AS item
SET deleted_at = CASE WHEN back.why IS NOT NULL THEN item.deleted_at END,
    removed_because = back.why,
    needs_embedding = item.embedding IS NULL AND back.why IS NULL
FROM unnest($2::uuid[], $3::text[]) AS back (id, why)
WHERE item.user_id = $1 AND item.id = back.id

-- name: reopen_doubts
-- A doubt that was closed without an answer stands again where both its memories do.
UPDATE doubts SET answered_at = NULL
WHERE user_id = $1 AND answer IS NULL AND (older_id = ANY ($2) OR newer_id = ANY ($2))
  AND NOT EXISTS (
      SELECT FROM memory_items
      WHERE user_id = $1 AND id IN (older_id, newer_id) AND deleted_at IS NOT NULL)
