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

-- name: reword
-- The vector of the old words goes with them, and nothing is learned from what is left. What is
-- nothing but the mark needs no vector.
UPDATE messages
SET content = $3, embedding = NULL, embedding_model = NULL,
    needs_embedding = $3 NOT IN ('', '[forgotten]'), needs_learning = false
WHERE user_id = $1 AND id = $2

-- name: take_away
DELETE FROM messages WHERE user_id = $1 AND id = ANY ($2)

-- name: retitle
UPDATE conversations SET title = $3 WHERE user_id = $1 AND id = $2

-- name: count_on_tombstones
-- What went with these memories before their erasure.
UPDATE tombstones SET removed = removed || $3::jsonb
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL
