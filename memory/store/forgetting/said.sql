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
