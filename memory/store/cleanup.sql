-- name: read
-- What may be cleaned away: in recall, neither pinned nor saved by hand, and no roll-up.
SELECT id, content, type, space, bank, created_at FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL
  AND NOT pinned AND NOT manually_saved AND summary_of = '{}'
ORDER BY created_at, id

-- name: clean
UPDATE memory_items SET deleted_at = $3, removed_because = 'cleaned'
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND NOT pinned AND NOT manually_saved
RETURNING id

-- name: undo
-- What the last cleaning took.
UPDATE memory_items
SET deleted_at = NULL, removed_because = NULL, needs_embedding = embedding IS NULL
WHERE user_id = $1 AND removed_because = 'cleaned' AND deleted_at = (
    SELECT max(deleted_at) FROM memory_items WHERE user_id = $1 AND removed_because = 'cleaned')
RETURNING id
