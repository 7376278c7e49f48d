-- name: last_turn
-- The turn of the newest message of a conversation.
SELECT correlation_id FROM messages WHERE user_id = $1 AND conversation_id = $2
ORDER BY position DESC LIMIT 1

-- name: remove_turn
-- Vectors and search rows go with the messages; what was learned from them names none any more.
DELETE FROM messages WHERE user_id = $1 AND conversation_id = $2 AND correlation_id = $3
RETURNING id, role, content, needs_learning, position

-- name: retitle
UPDATE conversations SET title = $4 WHERE user_id = $1 AND id = $2 AND title = $3

-- name: carry_over
-- What was learned from one message comes from another one now.
UPDATE memory_items
SET source_message_id = $3::uuid,
    source_ids = array_replace(source_ids, $2::uuid::text, $3::uuid::text)
WHERE user_id = $1 AND source_ids @> ARRAY[$2::uuid::text]

-- name: learned_alone
-- What rests on these messages and on nothing else. What was pinned since is the user's own wish.
SELECT {columns} FROM memory_items
WHERE user_id = $1 AND source_ids <@ $2::text[] AND source_ids <> '{}'
  AND deleted_at IS NULL AND superseded_by IS NULL AND NOT pinned
ORDER BY created_at, id

-- name: count_less
-- What was only said again in them: counted once less.
UPDATE memory_items
SET repeat_count = greatest(repeat_count - 1, 0),
    source_ids = array(SELECT source FROM unnest(source_ids) WITH ORDINALITY AS each (source, place)
                       WHERE source <> ALL ($2) ORDER BY place)
WHERE user_id = $1 AND source_ids && $2::text[] AND NOT source_ids <@ $2::text[]
RETURNING id

-- name: replaced_in_turn
-- What the turn took out of recall, by which memory, as far as that still stands.
SELECT item.id, item.superseded_by AS by
FROM audit_log AS done
JOIN memory_items AS item ON item.user_id = done.user_id AND item.id = done.item_id
WHERE done.user_id = $1 AND done.correlation_id = $2 AND done.action = 'superseded'
  AND item.superseded_by = ANY ($3) AND item.deleted_at IS NULL
  AND done.detail ->> 'by' = item.superseded_by::text

-- name: allow_relearning
-- What is said anew is kept anew, and the erasure of the old one leaves the conversations alone.
UPDATE tombstones SET expires_at = now(), history = 'keep'
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL

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

-- name: mark
-- Not a row is written where nothing changes.
UPDATE conversations SET privacy = $3 WHERE user_id = $1 AND id = $2 AND privacy <> $3
