-- name: lock_user
-- One writer of a user's memories at a time; the same lock as items.sql takes.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: due
-- What is to be erased: all that is due, or of the given ids what waits at all.
SELECT item_id, erase_after FROM tombstones
WHERE user_id = $1 AND erased_at IS NULL AND erase_after <= $2
ORDER BY item_id

-- name: condemned
-- The forgotten memories of these ids that still wait, with what is known of where they came from.
SELECT tomb.item_id AS id, item.content, item.embedding IS NOT NULL AS has_vector,
       tomb.history, item.source_message_id, item.source_ids
FROM tombstones AS tomb LEFT JOIN memory_items AS item
     ON item.user_id = tomb.user_id AND item.id = tomb.item_id
WHERE tomb.user_id = $1 AND tomb.item_id = ANY ($2) AND tomb.erased_at IS NULL
ORDER BY tomb.item_id
FOR UPDATE OF tomb

-- name: related_messages
-- What may tell of them: the sources ($2) and their turns, what rested on them or on the memories
-- ($3), and every message with one of the words of their sentences ($4), or with one of them as it
-- is ($5).
WITH sources AS (
    SELECT correlation_id FROM messages WHERE user_id = $1 AND id = ANY ($2)
), asked AS (
    SELECT query FROM (SELECT any_word_query(text) AS query FROM unnest($4::text[]) AS text) AS made
    WHERE query IS NOT NULL
)
SELECT id, conversation_id, correlation_id, content,
       array(SELECT coalesce(told ->> 'item_id', told ->> 'message_id')
             FROM jsonb_array_elements(recalled) AS told) AS rested_on
FROM messages
WHERE user_id = $1 AND (
    id = ANY ($2)
    OR correlation_id IN (SELECT correlation_id FROM sources)
    OR EXISTS (SELECT FROM jsonb_array_elements(recalled) AS told
               WHERE coalesce(told ->> 'item_id', told ->> 'message_id')
                     = ANY ($3::text[] || $2::uuid[]::text[]))
    OR EXISTS (SELECT FROM asked WHERE search @@ asked.query)
    OR EXISTS (SELECT FROM unnest($5::text[]) AS held
               WHERE strpos(lower(content), lower(held)) > 0))
ORDER BY position

-- name: waiting
-- Every forgotten memory that waits for its erasure, but where the conversations are to stay as they
-- are.
SELECT tomb.item_id AS id, item.content, item.embedding IS NOT NULL AS has_vector,
       tomb.history, item.source_message_id, item.source_ids
FROM tombstones AS tomb
JOIN memory_items AS item ON item.user_id = tomb.user_id AND item.id = tomb.item_id
WHERE tomb.user_id = $1 AND tomb.erased_at IS NULL AND tomb.history <> 'keep'
ORDER BY tomb.item_id

-- name: pending_contents
-- Whatever is to become of the conversations: an episode is none.
SELECT item.content
FROM tombstones AS tomb
JOIN memory_items AS item ON item.user_id = tomb.user_id AND item.id = tomb.item_id
WHERE tomb.user_id = $1 AND tomb.erased_at IS NULL
ORDER BY tomb.item_id

-- name: of_the_same_turns
-- The named messages ($2) with all that was said in their turns.
SELECT id, conversation_id, correlation_id, content,
       array(SELECT coalesce(told ->> 'item_id', told ->> 'message_id')
             FROM jsonb_array_elements(recalled) AS told) AS rested_on
FROM messages
WHERE user_id = $1 AND correlation_id IN (
    SELECT correlation_id FROM messages WHERE user_id = $1 AND id = ANY ($2))
ORDER BY position

-- name: all_titles
SELECT id, title FROM conversations WHERE user_id = $1 AND title IS NOT NULL

-- name: reword_message
-- As with `reword` of forgetting.sql: the vector of the old words goes with them, nothing is learned
-- from what is left, and what is nothing but the mark needs no vector.
UPDATE messages
SET content = $3, embedding = NULL, embedding_model = NULL,
    needs_embedding = $3 NOT IN ('', '[forgotten]'), needs_learning = false
WHERE user_id = $1 AND id = $2

-- name: remove_messages
DELETE FROM messages WHERE user_id = $1 AND id = ANY ($2)

-- name: retitle
UPDATE conversations SET title = $3 WHERE user_id = $1 AND id = $2

-- name: remove_items
-- For good; usage and doubts go with them.
DELETE FROM memory_items WHERE user_id = $1 AND id = ANY ($2)

-- name: mark_erased
-- What was removed now is added to what went when it was forgotten.
UPDATE tombstones SET erased_at = $3, removed = (
    SELECT coalesce(jsonb_object_agg(what, total), '{}')
    FROM (SELECT what, sum(count::bigint) AS total
          FROM (SELECT * FROM jsonb_each_text(removed)
                UNION ALL SELECT * FROM jsonb_each_text($4::jsonb)) AS counted (what, count)
          GROUP BY what) AS summed)
WHERE user_id = $1 AND item_id = $2

-- name: about
-- Every message of a space that may tell of the words $4: by the words of the keyword search, or,
-- since that takes an address or a path for one word, by one of $5 anywhere in it. The turn $3 is
-- left out.
SELECT message.id, message.conversation_id, message.correlation_id, message.role, message.content,
       message.created_at
FROM messages AS message
JOIN conversations AS chat
  ON chat.user_id = message.user_id AND chat.id = message.conversation_id
WHERE message.user_id = $1 AND chat.space = $2 AND message.correlation_id IS DISTINCT FROM $3
  AND (message.search @@ any_word_query($4)
       OR EXISTS (SELECT FROM unnest($5::text[]) AS word
                  WHERE strpos(lower(message.content), lower(word)) > 0))
ORDER BY message.position

-- name: replies
-- What was answered in these turns.
SELECT id, conversation_id, correlation_id, role, content, created_at
FROM messages
WHERE user_id = $1 AND correlation_id = ANY ($2) AND role = 'assistant'
ORDER BY position

-- name: read
SELECT id, conversation_id, correlation_id, role, content, created_at
FROM messages WHERE user_id = $1 AND id = ANY ($2)
ORDER BY position

-- name: lexemes
-- All words of each text as the keyword search knows them, without stop words.
SELECT tsvector_to_array(keyword_vector(text)) AS words
FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place

-- name: titles
SELECT id, title FROM conversations WHERE user_id = $1 AND space = $2 AND title IS NOT NULL

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

-- name: space_titles
SELECT title FROM conversations WHERE user_id = $1 AND space = $2 AND title IS NOT NULL
