-- name: tombstone
SELECT item_id, space, digest, simhash, sketch, history, created_at, erase_after, erased_at, removed
FROM tombstones WHERE user_id = $1 AND item_id = $2

-- name: named
-- The forgotten memories whose ids begin so, the last forgotten first; two are enough to tell that
-- it is not one.
SELECT item_id FROM tombstones WHERE user_id = $1 AND starts_with(item_id::text, $2)
ORDER BY created_at DESC, item_id LIMIT 2

-- name: row_is_there
SELECT EXISTS (SELECT FROM memory_items WHERE user_id = $1 AND id = $2)

-- name: other_memories
-- Every memory of the space that is there, replaced and trimmed ones too, but what waits to be
-- erased.
SELECT id, content, embedding FROM memory_items
WHERE user_id = $1 AND space = $4 AND removed_because IS DISTINCT FROM 'forgotten' AND id > $2
ORDER BY id LIMIT $3

-- name: messages
SELECT message.position, message.content
FROM messages AS message
JOIN conversations AS chat
  ON chat.user_id = message.user_id AND chat.id = message.conversation_id
WHERE message.user_id = $1 AND chat.space = $4 AND message.position > $2
ORDER BY message.position LIMIT $3

-- name: titles
SELECT title FROM conversations WHERE user_id = $1 AND space = $2 AND title IS NOT NULL
