-- name: waiting_items
-- Memories that have no vector of the model that follows, in the order of their keys. What was
-- forgotten or is out of recall is not sent anywhere again, and a vector that was taken away to save
-- room stays away.
SELECT user_id, id, content FROM memory_items
WHERE next_embedding IS NULL AND (embedding IS NOT NULL OR needs_embedding)
  AND deleted_at IS NULL AND (user_id, id) > ($1, $2)
ORDER BY user_id, id LIMIT $3

-- name: waiting_messages
SELECT user_id, id, content FROM messages
WHERE next_embedding IS NULL AND (embedding IS NOT NULL OR needs_embedding)
  AND (user_id, id) > ($1, $2)
ORDER BY user_id, id LIMIT $3

-- name: write_items
-- A row whose words changed meanwhile, or that somebody is changing, waits for the next pass.
WITH free AS (
    SELECT item.user_id, item.id, filled.embedding
    FROM memory_items AS item
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON item.user_id = filled.user_id AND item.id = filled.id AND item.content = filled.content
    FOR NO KEY UPDATE OF item SKIP LOCKED
)
UPDATE memory_items AS item
SET next_embedding = free.embedding, next_embedding_model = $4
FROM free WHERE item.user_id = free.user_id AND item.id = free.id

-- name: write_messages
WITH free AS (
    SELECT message.user_id, message.id, filled.embedding
    FROM messages AS message
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON message.user_id = filled.user_id AND message.id = filled.id
     AND message.content = filled.content
    FOR NO KEY UPDATE OF message SKIP LOCKED
)
UPDATE messages AS message
SET next_embedding = free.embedding, next_embedding_model = $4
FROM free WHERE message.user_id = free.user_id AND message.id = free.id

-- name: count_items
SELECT count(next_embedding) AS made, count(*) AS all_of_them FROM memory_items
WHERE (next_embedding IS NOT NULL OR embedding IS NOT NULL OR needs_embedding)
  AND deleted_at IS NULL

-- name: count_messages
SELECT count(next_embedding) AS made, count(*) AS all_of_them FROM messages
WHERE next_embedding IS NOT NULL OR embedding IS NOT NULL OR needs_embedding

-- name: set_aside_items
-- What is out of recall gets its vector when it comes back. It is marked beforehand, a few at a time,
-- so that the swap has little to write.
UPDATE memory_items SET needs_embedding = true
WHERE (user_id, id) IN (
    SELECT user_id, id FROM memory_items
    WHERE next_embedding IS NULL AND embedding IS NOT NULL AND NOT needs_embedding
      AND deleted_at IS NOT NULL
    LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)

-- name: late_items
-- Vectors of another model that a program wrote which had not noticed the swap yet.
UPDATE memory_items SET needs_embedding = true
WHERE embedding IS NOT NULL AND embedding_model <> $1 AND NOT needs_embedding

-- name: late_messages
UPDATE messages SET needs_embedding = true
WHERE embedding IS NOT NULL AND embedding_model <> $1 AND NOT needs_embedding
