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
