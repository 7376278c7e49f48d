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
    heard, needs_embedding)
SELECT $1::varchar, id, content, type, space, bank, role, tags, source_ids,
       (SELECT message.id FROM messages AS message
        WHERE message.user_id = $1::varchar AND message.id = brought.source_message_id FOR KEY SHARE),
       repeat_count, importance, salience, metadata_confidence, pinned, manually_saved, slot, simhash,
       created_at, occurred_at, valid_to, superseded_by, summary_of, expires_at, deleted_at,
       removed_because, heard, deleted_at IS NULL
FROM jsonb_to_recordset($2::jsonb) AS brought (
    id uuid, content text, type text, space text, bank text, role text, tags text[],
    source_ids text[], source_message_id uuid, repeat_count integer, importance float8,
    salience float8, metadata_confidence float8, pinned boolean, manually_saved boolean, slot text,
    simhash bigint, created_at timestamptz, occurred_at timestamptz, valid_to timestamptz,
    superseded_by uuid, summary_of uuid[], expires_at timestamptz, deleted_at timestamptz,
    removed_because text, heard jsonb)
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
INSERT INTO memory_settings (user_id, space, memory_mode, incognito_default, notices)
SELECT $1, space, memory_mode, incognito_default, notices
FROM jsonb_to_recordset($2::jsonb)
    AS brought (space text, memory_mode text, incognito_default boolean, notices text)
ON CONFLICT DO NOTHING
RETURNING space
