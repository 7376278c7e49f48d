-- name: open_conversation
-- A conversation by its id, made when it is new; its title is the first thing that was said.
INSERT INTO conversations (user_id, id, title, space) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, id) DO UPDATE SET updated_at = now()

-- name: last_position
SELECT coalesce(max(position), 0) FROM messages
WHERE user_id = $1 AND conversation_id = $2 AND id <> $3

-- name: add_message
-- Once by its id, however often it is sent: a reply is kept as it grows, and a connection can be
-- lost after the commit.
INSERT INTO messages (user_id, conversation_id, role, content, status, correlation_id, recalled, id,
                      needs_learning, recallable)
VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10)
ON CONFLICT (user_id, id) DO UPDATE
SET content = excluded.content, status = excluded.status, recalled = excluded.recalled,
    recallable = excluded.recallable,
    needs_embedding = true
RETURNING id, conversation_id, role, content, status, correlation_id, position, created_at

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
SELECT id, title, space, created_at, updated_at FROM conversations
WHERE user_id = $1 ORDER BY updated_at DESC, id LIMIT $2

-- name: browse
-- The conversations of a space, the last used first, with $3 in their titles or messages; $4 and $5
-- are the place that an earlier page ended at.
SELECT id, title, space, created_at, updated_at
FROM conversations AS chat
WHERE user_id = $1 AND space = $2
  AND ($3::text IS NULL
       OR strpos(lower(title), lower($3)) > 0
       OR EXISTS (SELECT FROM messages AS said
                  WHERE said.user_id = $1 AND said.conversation_id = chat.id
                    AND said.status <> 'withheld'
                    AND (said.search @@ websearch_to_tsquery('english', $3)
                         OR strpos(lower(said.content), lower($3)) > 0)))
  AND ($4::timestamptz IS NULL OR (updated_at, id) < ($4, $5::uuid))
ORDER BY updated_at DESC, id DESC LIMIT $6

-- name: read
SELECT id, title, space, created_at, updated_at FROM conversations WHERE user_id = $1 AND id = $2

-- name: page
-- Before a position, the newest first, with what each rested on.
SELECT id, conversation_id, role, content, status, correlation_id, position, created_at, recalled
FROM messages WHERE user_id = $1 AND conversation_id = $2 AND position < $3
ORDER BY position DESC LIMIT $4

-- name: of_turn
SELECT id, conversation_id, role, content, status, correlation_id, position, created_at, recalled
FROM messages WHERE user_id = $1 AND correlation_id = $2 ORDER BY position

-- name: rename
UPDATE conversations SET title = $3 WHERE user_id = $1 AND id = $2
RETURNING id, title, space, created_at, updated_at

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

-- name: blank_turn
-- What named a memory in order to forget it goes with it, and the title that it gave.
WITH said AS (
    SELECT conversation_id, left(regexp_replace(btrim(content), '\s+', ' ', 'g'), 80) AS title
    FROM messages WHERE user_id = $1 AND correlation_id = $2 AND role = 'user'
), blanked AS (
    UPDATE messages SET content = '[forgotten]', embedding = NULL, needs_embedding = false
    WHERE user_id = $1 AND correlation_id = $2
)
UPDATE conversations SET title = '[forgotten]'
FROM said
WHERE user_id = $1 AND id = said.conversation_id AND conversations.title = said.title
