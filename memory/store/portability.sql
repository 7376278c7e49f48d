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
                - '{next_embedding,next_embedding_model,waiting_since,claimed_by,claimed_at}'::text[]
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

-- name: marks
-- The SimHashes of what is there, by which the same words under another id are looked up.
SELECT id, simhash FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND simhash IS NOT NULL

-- name: there
-- What the ids ($2) name here, and the other memories ($3) that may say the same.
SELECT id, space, content, removed_because IS NOT DISTINCT FROM 'forgotten' AS forgotten,
       manually_saved OR superseded_by IS NOT NULL AS settled
FROM memory_items WHERE user_id = $1 AND id = ANY ($2::uuid[] || $3::uuid[])

-- name: buried
-- Which ids a tombstone has, so that no other memory may: it is proved by them that one is gone.
SELECT item_id FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2)

-- name: closed_spaces
SELECT space FROM memory_settings WHERE user_id = $1 AND memory_mode <> 'full'

-- name: insert
-- Memories as they were, their vectors still to be made of what may be recalled; a message that is not
-- there is not their source. What came in meanwhile under the same id stays.
INSERT INTO memory_items (
    user_id, id, content, type, space, bank, role, tags, source_ids, source_message_id, repeat_count,
    importance, salience, metadata_confidence, pinned, manually_saved, slot, simhash, created_at,
    occurred_at, valid_to, superseded_by, summary_of, expires_at, deleted_at, removed_because,
    rest_of, needs_embedding)
SELECT $1::varchar, id, content, type, space, bank, role, tags, source_ids,
       (SELECT message.id FROM messages AS message
        WHERE message.user_id = $1::varchar AND message.id = brought.source_message_id FOR KEY SHARE),
       repeat_count, importance, salience, metadata_confidence, pinned, manually_saved, slot, simhash,
       created_at, occurred_at, valid_to, superseded_by, summary_of, expires_at, deleted_at,
       removed_because, rest_of, deleted_at IS NULL
FROM jsonb_to_recordset($2::jsonb) AS brought (
    id uuid, content text, type text, space text, bank text, role text, tags text[],
    source_ids text[], source_message_id uuid, repeat_count integer, importance float8,
    salience float8, metadata_confidence float8, pinned boolean, manually_saved boolean, slot text,
    simhash bigint, created_at timestamptz, occurred_at timestamptz, valid_to timestamptz,
    superseded_by uuid, summary_of uuid[], expires_at timestamptz, deleted_at timestamptz,
    removed_because text, rest_of uuid)
WHERE superseded_by IS NULL
   OR EXISTS (SELECT FROM memory_items AS last
              WHERE last.user_id = $1::varchar AND last.id = brought.superseded_by)
ON CONFLICT (user_id, id) DO NOTHING
RETURNING id

-- name: insert_usage
-- How often those of $3 were recalled.
INSERT INTO memory_usage (user_id, item_id, access_count, last_accessed_at)
SELECT $1, id, access_count, last_accessed_at
FROM jsonb_to_recordset($2::jsonb)
    AS brought (id uuid, access_count integer, last_accessed_at timestamptz)
WHERE id = ANY ($3) AND (access_count > 0 OR last_accessed_at IS NOT NULL)

-- name: link
-- What stands in the place of a replaced memory is what replaced it itself, where so far it is the end
-- of the chain.
UPDATE memory_items AS item SET superseded_by = next.id
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS link (id, next, last)
JOIN memory_items AS next ON next.user_id = $1 AND next.id = link.next
WHERE item.user_id = $1 AND item.id = link.id AND item.superseded_by = link.last

-- name: link_rests
-- What a rest is of has another id here ($4) than in the file ($3).
UPDATE memory_items AS item SET rest_of = link.whole
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS link (id, named, whole)
WHERE item.user_id = $1 AND item.id = link.id AND item.rest_of = link.named

-- name: insert_doubts
-- Questions about memories that are both there; one that is known stays as it is.
INSERT INTO doubts (user_id, id, older_id, newer_id, created_at, answer, answered_at)
SELECT $1, brought.id, older.id, newer.id, brought.created_at, answer, answered_at
FROM jsonb_to_recordset($2::jsonb)
    AS brought (id uuid, older_id uuid, newer_id uuid, created_at timestamptz, answer text,
                answered_at timestamptz)
JOIN memory_items AS older ON older.user_id = $1 AND older.id = brought.older_id
JOIN memory_items AS newer ON newer.user_id = $1 AND newer.id = brought.newer_id
WHERE older.id <> newer.id
ON CONFLICT DO NOTHING

-- name: insert_settings
-- For spaces in which nothing is set here.
INSERT INTO memory_settings (user_id, space, memory_mode, incognito_default)
SELECT $1, space, memory_mode, incognito_default
FROM jsonb_to_recordset($2::jsonb)
    AS brought (space text, memory_mode text, incognito_default boolean)
ON CONFLICT DO NOTHING
RETURNING space
