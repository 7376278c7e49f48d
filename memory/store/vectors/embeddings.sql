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
-- A row whose words were edited or redacted meanwhile waits for the vector of its new ones. One that
-- somebody is changing waits for the next run: to wait for it here, while others are held, could be
-- to wait for each other.
WITH free AS (
    SELECT item.user_id, item.id, filled.embedding
    FROM memory_items AS item
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON item.user_id = filled.user_id AND item.id = filled.id AND item.content = filled.content
    WHERE item.needs_embedding
    FOR NO KEY UPDATE OF item SKIP LOCKED
)
UPDATE memory_items AS item
SET embedding = free.embedding, embedding_model = $4, needs_embedding = false
FROM free WHERE item.user_id = free.user_id AND item.id = free.id
RETURNING greatest(extract(epoch FROM now() - item.waiting_since), 0)::double precision AS waited

-- name: write_messages
WITH free AS (
    SELECT message.user_id, message.id, filled.embedding
    FROM messages AS message
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON message.user_id = filled.user_id AND message.id = filled.id
     AND message.content = filled.content
    WHERE message.needs_embedding
    FOR NO KEY UPDATE OF message SKIP LOCKED
)
UPDATE messages AS message
SET embedding = free.embedding, embedding_model = $4, needs_embedding = false
FROM free WHERE message.user_id = free.user_id AND message.id = free.id
RETURNING greatest(extract(epoch FROM now() - message.waiting_since), 0)::double precision AS waited
