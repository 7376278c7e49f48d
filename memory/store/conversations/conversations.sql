-- name: read_recent
-- The newest messages that the model may see again, oldest first.
SELECT * FROM (
    SELECT id, conversation_id, role, content, status, correlation_id, position, created_at
    FROM messages
    WHERE user_id = $1 AND conversation_id = $2 AND position <= $4
      AND status <> 'withheld' AND content <> ''
    ORDER BY position DESC LIMIT $3
) AS newest ORDER BY position

-- name: list_conversations
SELECT id, title, space, created_at, updated_at, privacy FROM conversations
WHERE user_id = $1 ORDER BY updated_at DESC, id LIMIT $2

-- name: browse
-- The conversations of a space, the last used first, with $3 in their titles, in any part, or in
-- words of their messages; $4 and $5 are the place that an earlier page ended at. Thai, Lao,
-- Burmese, Khmer, Japanese and Chinese are written without spaces: in messages, any part of their
-- text counts, for which all of a user's messages are read.
WITH saying AS MATERIALIZED (
    SELECT conversations_saying($3) AS id WHERE $3::text IS NOT NULL
    UNION ALL
    SELECT conversation_id FROM messages
    WHERE user_id = $1 AND status <> 'withheld' AND strpos(lower(content), lower($3)) > 0
      AND $3 ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]'
)
SELECT id, title, space, created_at, updated_at, privacy
FROM conversations
WHERE user_id = $1 AND space = $2
  AND ($3 IS NULL OR strpos(lower(title), lower($3)) > 0 OR id IN (SELECT id FROM saying))
  AND ($4::timestamptz IS NULL OR (updated_at, id) < ($4, $5::uuid))
ORDER BY updated_at DESC, id DESC LIMIT $6

-- name: read
SELECT id, title, space, created_at, updated_at, privacy FROM conversations
WHERE user_id = $1 AND id = $2

-- name: page
-- Before a position, the newest first, with what each rested on.
SELECT id, conversation_id, role, content, status, correlation_id, position, created_at, recalled
FROM messages WHERE user_id = $1 AND conversation_id = $2 AND position < $3
ORDER BY position DESC LIMIT $4

-- name: read_several
SELECT id, conversation_id, role, content, status, correlation_id, position, created_at, recalled
FROM messages WHERE user_id = $1 AND id = ANY ($2)

-- name: of_turn
SELECT id, conversation_id, role, content, status, correlation_id, position, created_at, recalled
FROM messages WHERE user_id = $1 AND correlation_id = $2 ORDER BY position

-- name: rename
UPDATE conversations SET title = $3 WHERE user_id = $1 AND id = $2
RETURNING id, title, space, created_at, updated_at, privacy

-- name: remove_conversation
-- Its messages go with it, and their vectors and search rows with them; what was learned from them
-- stays, and names no message any more.
DELETE FROM conversations WHERE user_id = $1 AND id = $2 RETURNING id

-- name: last_message
SELECT id, conversation_id, role, content, status, correlation_id, position, created_at
FROM messages WHERE user_id = $1 AND conversation_id = $2 ORDER BY position DESC LIMIT 1

-- name: remove_message
DELETE FROM messages WHERE user_id = $1 AND id = $2

-- name: clear_conversation
DELETE FROM messages WHERE user_id = $1 AND conversation_id = $2
