-- name: settings
SELECT (to_jsonb(chosen) - 'user_id')::text AS row
FROM memory_settings AS chosen WHERE user_id = $1 ORDER BY space

-- name: memories
-- Every memory but the forgotten ones, replaced and trimmed ones too, without what the search
-- computes. In the order of the key, so that the first is there at once however many there are.
SELECT (to_jsonb(item)
        - '{user_id,embedding,needs_embedding,embedding_model,next_embedding,next_embedding_model}'::text[]
        - '{simhash,search,search_length,in_keywords,waiting_since}'::text[]
        || jsonb_build_object('access_count', coalesce(usage.access_count, 0),
                              'last_accessed_at', usage.last_accessed_at))::text AS row
FROM memory_items AS item
LEFT JOIN memory_usage AS usage ON usage.user_id = item.user_id AND usage.item_id = item.id
WHERE item.user_id = $1 AND item.removed_because IS DISTINCT FROM 'forgotten'
ORDER BY item.id

-- name: conversations
SELECT (to_jsonb(chat) - 'user_id'
        || jsonb_build_object('messages', coalesce((
            SELECT jsonb_agg(
                to_jsonb(message)
                - '{user_id,conversation_id,embedding,needs_embedding,embedding_model,search}'::text[]
                - '{next_embedding,next_embedding_model,waiting_since}'::text[]
                ORDER BY message.position)
            FROM messages AS message
            WHERE message.user_id = chat.user_id AND message.conversation_id = chat.id),
            '[]')))::text AS row
FROM conversations AS chat WHERE user_id = $1 ORDER BY id

-- name: doubts
SELECT (to_jsonb(doubt) - 'user_id')::text AS row
FROM doubts AS doubt WHERE user_id = $1 ORDER BY created_at, id

-- name: forgotten
-- What was forgotten, without the digests that nobody else can read.
SELECT (to_jsonb(tomb) - '{user_id,digest,simhash,sketch}'::text[])::text AS row
FROM tombstones AS tomb WHERE user_id = $1 ORDER BY created_at, item_id

-- name: episodes
SELECT (to_jsonb(episode)
        - '{user_id,embedding,needs_embedding,embedding_model,next_embedding,next_embedding_model}'::text[]
        - 'search')::text AS row
FROM episodes AS episode WHERE user_id = $1 ORDER BY created_at, id

-- name: api_keys
-- What is known of each, never its digest.
SELECT (to_jsonb(key) - '{user_id,digest}'::text[])::text AS row
FROM api_keys AS key WHERE user_id = $1 ORDER BY created_at, id

-- name: audit
SELECT (to_jsonb(entry) - 'user_id')::text AS row
FROM audit_log AS entry WHERE user_id = $1 ORDER BY id

-- name: item_texts
SELECT id, content FROM memory_items WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3

-- name: message_texts
SELECT id, content FROM messages WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3

-- name: conversation_ids
SELECT id FROM conversations WHERE user_id = $1

-- name: erase_user
SELECT name, count FROM erase_user()
