-- name: lock_user
-- One writer of a user's memories at a time, so that two turns cannot both find nothing.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: insert
-- Without its message where that is not there any more; a deletion under way is waited for.
INSERT INTO memory_items (user_id, content, type, space, bank, role, tags, source_ids,
                          source_message_id, importance, salience, metadata_confidence, pinned,
                          manually_saved, simhash, occurred_at, created_at, expires_at,
                          embedding, embedding_model, needs_embedding, heard)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
        (SELECT id FROM messages WHERE user_id = $1::varchar AND id = $9 FOR KEY SHARE),
        $10, $11, $12, $13, $14, $15, $16, coalesce($17, now()), $18, $19, $20,
        $19::halfvec IS NULL, $21::jsonb)
RETURNING {columns}

-- name: count_repeat
-- A memory that was said again: counted by $10, 0 or 1, and true again if it had been replaced.
-- Nothing where the mode of the space forbids it, as the trigger does for new memories.
UPDATE memory_items
SET repeat_count = repeat_count + $10, tags = $3, source_ids = $4, importance = $5,
    metadata_confidence = greatest(metadata_confidence, $6),
    manually_saved = manually_saved OR $7, pinned = pinned OR $8,
    in_keywords = in_keywords OR $7 OR $8,
    occurred_at = coalesce(occurred_at, $9), salience = $11, superseded_by = NULL, valid_to = NULL,
    needs_embedding = embedding IS NULL
WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                  WHERE chosen.user_id = $1 AND chosen.space = memory_items.space
                    AND chosen.memory_mode <> 'full')
RETURNING {columns}

-- name: supersede
-- Takes a memory out of recall because another one holds now.
UPDATE memory_items SET superseded_by = $3, valid_to = now()
WHERE user_id = $1 AND id = $2 AND superseded_by IS NULL AND id <> $3
RETURNING {columns}

-- name: undo_supersede
UPDATE memory_items
SET superseded_by = NULL, valid_to = NULL, needs_embedding = embedding IS NULL
WHERE user_id = $1 AND id = $2 AND superseded_by IS NOT NULL AND deleted_at IS NULL
RETURNING {columns}

-- name: inherit_pin
UPDATE memory_items SET pinned = true, salience = $3, in_keywords = true WHERE user_id = $1 AND id = $2

-- name: list_recent
SELECT {columns}
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

-- name: read_living
SELECT {columns} FROM memory_items
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND superseded_by IS NULL
