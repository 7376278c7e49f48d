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

-- name: let_return
-- What is said anew is kept anew, and the erasure of the old one leaves the conversations alone.
UPDATE tombstones SET expires_at = now(), history = 'keep'
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL
