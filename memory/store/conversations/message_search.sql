-- name: search_by_keyword
-- BM25 and coverage of the question's words; see migrations/0006_message_search.sql. It finds
-- nothing where memory is off.
SELECT id, bm25, coverage FROM search_messages($1, $2, $3, $4, $5, $6)

-- name: search_by_vector
-- Exact nearest neighbours within the user; none at all where memory is off. A vector that waits to
-- be made anew is of other words.
SELECT message.id, 1 - (message.embedding <=> $7) AS cosine
FROM messages AS message
JOIN conversations AS chat ON chat.user_id = $1 AND chat.id = message.conversation_id
WHERE chat.space = $2 AND message.embedding IS NOT NULL AND NOT message.needs_embedding AND {found}
  AND NOT EXISTS (
      SELECT FROM memory_settings
      WHERE user_id = $1 AND space = $2 AND memory_mode = 'off')
ORDER BY message.embedding <=> $7, message.id
LIMIT $8

-- name: read_candidates
-- The messages of these ids ($8) with the one before and the one after, and those that followed the
-- best of them ($9): an answer need not share a word with what was asked. What a reply rested on
-- stands beside it as far as it is still remembered.
WITH wanted AS (
    SELECT unnest($8::uuid[]) AS id
    UNION
    SELECT next.id
    FROM messages AS first CROSS JOIN LATERAL (
        SELECT later.id FROM messages AS later
        WHERE later.user_id = $1 AND later.conversation_id = first.conversation_id
          AND later.position > first.position
          AND later.recallable AND later.status IN ('complete', 'interrupted') AND later.content <> ''
        ORDER BY later.position LIMIT 1) AS next
    WHERE first.user_id = $1 AND first.id = ANY ($9)
)
SELECT message.id, message.conversation_id, message.role, message.content, message.created_at,
       CASE WHEN message.needs_embedding THEN NULL ELSE 1 - (message.embedding <=> $7) END
           AS cosine,
       before.id AS before_id, before.role AS before_role, before.content AS before_content,
       before.cosine AS before_cosine,
       after.id AS after_id, after.role AS after_role, after.content AS after_content,
       after.cosine AS after_cosine,
       array(SELECT item.content
             FROM jsonb_array_elements(message.recalled) AS told
             JOIN memory_items AS item
               ON item.user_id = $1 AND item.id = (told ->> 'item_id')::uuid
                  AND item.deleted_at IS NULL) AS rested_on
FROM wanted
JOIN messages AS message ON message.user_id = $1 AND message.id = wanted.id
JOIN conversations AS chat ON chat.user_id = $1 AND chat.id = message.conversation_id
LEFT JOIN LATERAL (
    SELECT id, role, content,
           CASE WHEN needs_embedding THEN NULL ELSE 1 - (embedding <=> $7) END AS cosine
    FROM messages AS beside
    WHERE {beside} AND beside.position < message.position
    ORDER BY beside.position DESC LIMIT 1) AS before ON true
LEFT JOIN LATERAL (
    SELECT id, role, content,
           CASE WHEN needs_embedding THEN NULL ELSE 1 - (embedding <=> $7) END AS cosine
    FROM messages AS beside
    WHERE {beside} AND beside.position > message.position
    ORDER BY beside.position LIMIT 1) AS after ON true
WHERE chat.space = $2 AND {found}

-- name: found
-- What may be found: not the failed and withheld, nor what is nothing but a mark.
message.user_id = $1 AND message.role = ANY ($3)
  AND message.recallable AND message.status IN ('complete', 'interrupted')
  AND message.content NOT IN ('', '[forgotten]')
  AND message.conversation_id IS DISTINCT FROM $4
  AND message.correlation_id IS DISTINCT FROM $5
  AND ($6::timestamptz IS NULL OR message.created_at <= $6)

-- name: beside
beside.user_id = $1 AND beside.conversation_id = message.conversation_id
  AND beside.recallable AND beside.status IN ('complete', 'interrupted') AND beside.content <> ''
  AND beside.correlation_id IS DISTINCT FROM $5
