-- name: read
-- What may be cleaned away: in recall, neither pinned nor saved by hand, and no roll-up.
SELECT id, content, type, space, bank, created_at FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL
  AND NOT pinned AND NOT manually_saved AND summary_of = '{}'
ORDER BY created_at, id

-- name: clean
-- What is as it was when it was judged.
UPDATE memory_items AS item SET deleted_at = $4, removed_because = 'cleaned'
FROM unnest($2::uuid[], $3::text[]) AS planned (id, content)
WHERE item.user_id = $1 AND item.id = planned.id AND item.content = planned.content
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL
  AND NOT item.pinned AND NOT item.manually_saved
RETURNING item.id

-- name: last
SELECT max(deleted_at) FROM memory_items WHERE user_id = $1 AND removed_because = 'cleaned'

-- name: undo
-- What the cleaning at $2 took, at most $3.
UPDATE memory_items
SET deleted_at = NULL, removed_because = NULL, needs_embedding = embedding IS NULL
WHERE user_id = $1 AND id IN (
    SELECT id FROM memory_items
    WHERE user_id = $1 AND removed_because = 'cleaned' AND deleted_at = $2 LIMIT $3)
RETURNING id
