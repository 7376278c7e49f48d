-- name: tombstone
SELECT item_id, space, digest, simhash, sketch, history, created_at, erase_after, erased_at, removed
FROM tombstones WHERE user_id = $1 AND item_id = $2

-- name: row_is_there
SELECT EXISTS (SELECT FROM memory_items WHERE user_id = $1 AND id = $2)

-- name: other_memories
-- Every memory that is there, replaced and trimmed ones too, but what waits to be erased.
SELECT id, content, embedding FROM memory_items
WHERE user_id = $1 AND removed_because IS DISTINCT FROM 'forgotten' AND id > $2
ORDER BY id LIMIT $3

-- name: messages
SELECT position, content FROM messages WHERE user_id = $1 AND position > $2
ORDER BY position LIMIT $3

-- name: titles
SELECT title FROM conversations WHERE user_id = $1 AND title IS NOT NULL
