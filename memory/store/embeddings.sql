-- name: waiting_items
-- Memories that wait for their vector, the oldest first.
SELECT user_id, id, content FROM memory_items
WHERE needs_embedding AND deleted_at IS NULL AND ($1::text IS NULL OR user_id = $1)
ORDER BY created_at LIMIT $2

-- name: waiting_messages
SELECT user_id, id, content FROM messages
WHERE needs_embedding AND ($1::text IS NULL OR user_id = $1)
ORDER BY position LIMIT $2

-- name: write_items
-- A row whose words were edited or redacted meanwhile waits for the vector of its new ones.
UPDATE memory_items AS item
SET embedding = filled.embedding, embedding_model = $4, needs_embedding = false
FROM unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
    AS filled (user_id, id, embedding, content)
WHERE item.user_id = filled.user_id AND item.id = filled.id AND item.needs_embedding
  AND item.content = filled.content

-- name: write_messages
UPDATE messages AS message
SET embedding = filled.embedding, embedding_model = $4, needs_embedding = false
FROM unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
    AS filled (user_id, id, embedding, content)
WHERE message.user_id = filled.user_id AND message.id = filled.id AND message.needs_embedding
  AND message.content = filled.content
