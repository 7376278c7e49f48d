-- name: read
-- One memory, whether it lives, was replaced or was trimmed, with its use.
SELECT {columns}, coalesce(usage.access_count, 0) AS access_count, usage.last_accessed_at,
       usage.last_scores::text AS last_scores
FROM memory_items AS item
LEFT JOIN memory_usage AS usage ON usage.user_id = item.user_id AND usage.item_id = item.id
WHERE item.user_id = $1 AND item.id = $2 AND item.removed_because IS DISTINCT FROM 'forgotten'

-- name: older
-- What it took the place of, at most fifty, the newest first.
SELECT {columns} FROM memory_items
WHERE user_id = $1 AND superseded_by = $2 AND removed_because IS DISTINCT FROM 'forgotten'
ORDER BY valid_to DESC NULLS LAST, created_at DESC, id LIMIT 50

-- name: source
-- The message it was learned from, while that is there.
SELECT id AS message_id, conversation_id, created_at AS said_at, content AS text
FROM messages WHERE user_id = $1 AND id = $2
