-- name: find_same
-- The living memory with the same words, if there is one.
SELECT id FROM memory_items
WHERE user_id = $1 AND space = $2 AND lower(content) = lower($3)
  AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())
ORDER BY created_at LIMIT 1

-- name: lock_user
-- One writer of a user's memories at a time, so that two turns cannot both find nothing.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: count_repeat
UPDATE memory_items
SET repeat_count = repeat_count + 1, manually_saved = manually_saved OR $3
WHERE user_id = $1 AND id = $2
RETURNING id, content, type, bank, importance, pinned, manually_saved, created_at,
          source_message_id, repeat_count

-- name: save
INSERT INTO memory_items (user_id, content, type, space, bank, tags, importance, manually_saved,
                          source_message_id, occurred_at, created_at, expires_at,
                          embedding, embedding_model, needs_embedding)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, now()), $12,
        $13, $14, $13::halfvec IS NULL)
RETURNING id, content, type, bank, importance, pinned, manually_saved, created_at,
          source_message_id, repeat_count

-- name: list_recent
SELECT id, content, type, bank, importance, pinned, manually_saved, created_at,
       source_message_id, repeat_count
FROM memory_items
WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())
ORDER BY created_at DESC, id LIMIT $3

-- name: count
SELECT count(*) FROM memory_items
WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())

-- name: delete
-- Soft: the row stays for undo, the vector goes.
UPDATE memory_items SET deleted_at = now(), embedding = NULL, needs_embedding = false
WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL

-- name: supersede
UPDATE memory_items SET superseded_by = $3, valid_to = now()
WHERE user_id = $1 AND id = $2 AND superseded_by IS NULL
