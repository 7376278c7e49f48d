-- name: open_conversation
-- A conversation by its id, made when it is new; its title is the first thing that was said.
INSERT INTO conversations (user_id, id, title, space) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, id) DO UPDATE SET updated_at = now()

-- name: continue_conversation
-- No row where it was deleted meanwhile, also by a transaction that ends at this moment.
UPDATE conversations SET updated_at = now() WHERE user_id = $1 AND id = $2 RETURNING id

-- name: add_message
-- Once by its id, however often it is sent: a reply is kept as it grows, and a connection can be
-- lost after the commit. Words that were forgotten meanwhile do not come back: what is there keeps
-- its words unless it has grown, or is what was kept last ($11); what is there no more stays so, and
-- its columns are null. `before` is the position of the one before it.
WITH kept AS (
    INSERT INTO messages (user_id, conversation_id, role, content, status, correlation_id, recalled, id,
                          needs_learning, recallable, utc_offset_minutes, claimed_by, claimed_at)
    SELECT $1::text, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::jsonb, $8::uuid, $9::boolean,
           $10::boolean, $12::smallint, $13::text, CASE WHEN $13::text IS NOT NULL THEN now() END
    WHERE $11::text IS NULL OR EXISTS (SELECT FROM messages WHERE user_id = $1 AND id = $8)
    ON CONFLICT (user_id, id) DO UPDATE
    SET content = CASE
            WHEN messages.content = $11 OR starts_with(excluded.content, messages.content)
            THEN excluded.content ELSE messages.content END,
        status = excluded.status, recalled = excluded.recalled,
        recallable = excluded.recallable,
        needs_embedding = true
    RETURNING id, conversation_id, role, content, status, correlation_id, position, created_at
)
SELECT kept.*, latest.before
FROM (
    SELECT coalesce(max(position), 0) AS before FROM messages
    WHERE user_id = $1 AND conversation_id = $2 AND id <> $8
) AS latest
LEFT JOIN kept ON true

-- name: needs_learning
SELECT needs_learning FROM messages WHERE user_id = $1 AND id = $2

-- name: learned
UPDATE messages
SET needs_learning = false, learning_tries = 0, claimed_by = NULL, claimed_at = NULL
WHERE user_id = $1 AND id = $2 AND needs_learning

-- name: wait_again
-- A message that was left out of learning, and is not to be any more.
UPDATE messages SET needs_learning = true WHERE user_id = $1 AND id = $2

-- name: begin
UPDATE messages SET learning_tries = learning_tries + 1
WHERE user_id = $1 AND id = $2 AND needs_learning

-- name: give_back
UPDATE messages SET learning_tries = learning_tries - 1
WHERE user_id = $1 AND id = $2 AND needs_learning AND learning_tries > 0

-- name: give_up
-- What was begun $2 times and never came back, and is in nobody's hands; see `claim_next`.
UPDATE messages SET needs_learning = false
WHERE user_id = $1 AND needs_learning AND learning_tries >= $2
  AND (claimed_by IS NULL OR claimed_by = ANY ($3) OR claimed_at < now() - $4::interval)
RETURNING id

-- name: claims
-- Who has the messages that wait; null for those that nobody has.
SELECT DISTINCT claimed_by FROM messages
WHERE user_id = $1 AND needs_learning AND status = 'complete'
  AND created_at > now() - interval '7 days'

-- name: claim
-- Takes a message, unless another one has it; who has it already takes it anew.
UPDATE messages SET claimed_by = $3, claimed_at = now()
WHERE user_id = $1 AND id = $2 AND needs_learning
  AND (claimed_by IS NULL OR claimed_by = $3 OR claimed_at < now() - $4::interval)
RETURNING true

-- name: release
UPDATE messages SET claimed_by = NULL, claimed_at = NULL
WHERE user_id = $1 AND needs_learning AND claimed_by = $2

-- name: claim_next
-- Takes the oldest message that was not learned from and that nobody has, or whose claim is of a
-- program that ended ($3) or is too old ($4); with what the turn's reply recalled, so that it is not
-- learned again. One that could not be learned from for a week is left.
WITH next AS (
    SELECT user_id, id FROM messages
    WHERE user_id = $1 AND needs_learning AND status = 'complete'
      AND created_at > now() - interval '7 days'
      AND (claimed_by IS NULL OR claimed_by = ANY ($3) OR claimed_at < now() - $4::interval)
    ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED
), message AS (
    UPDATE messages SET claimed_by = $2, claimed_at = now()
    FROM next WHERE messages.user_id = next.user_id AND messages.id = next.id
    RETURNING messages.*
)
SELECT message.id, message.role, message.content, message.created_at, message.correlation_id,
       message.utc_offset_minutes, conversation.space,
       array(SELECT item.content
             FROM messages AS reply, jsonb_array_elements(reply.recalled) AS rested (upon)
             JOIN memory_items AS item
               ON item.user_id = $1 AND item.id::text = rested.upon ->> 'item_id'
             WHERE reply.user_id = $1 AND reply.correlation_id = message.correlation_id) AS recalled
FROM message
JOIN conversations AS conversation
  ON conversation.user_id = message.user_id AND conversation.id = message.conversation_id

-- name: learned_before
-- The words of the living memory that was learned last from what the same role said right before a
-- message in its conversation, at most $3 older.
SELECT item.content
FROM messages AS message
CROSS JOIN LATERAL (
    SELECT earlier.id, earlier.created_at FROM messages AS earlier
    WHERE earlier.user_id = message.user_id AND earlier.conversation_id = message.conversation_id
      AND earlier.position < message.position AND earlier.role = message.role
    ORDER BY earlier.position DESC LIMIT 1
) AS earlier
JOIN memory_items AS item
  ON item.user_id = message.user_id AND item.source_message_id = earlier.id
WHERE message.user_id = $1 AND message.id = $2
  AND earlier.created_at >= message.created_at - $3::interval
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL
ORDER BY item.created_at DESC, item.id LIMIT 1

-- name: said_before
-- The last $3 messages before one in its conversation that may be shown to what reads it, the oldest
-- first: none that was asked to be left out, that commands, or that was said while memory was off.
SELECT role, content FROM (
    SELECT earlier.role, earlier.content, earlier.position
    FROM messages AS message
    JOIN messages AS earlier
      ON earlier.user_id = message.user_id AND earlier.conversation_id = message.conversation_id
     AND earlier.position < message.position
    WHERE message.user_id = $1 AND message.id = $2
      AND earlier.role IN ('user', 'assistant') AND earlier.status = 'complete'
      AND earlier.recallable
    ORDER BY earlier.position DESC LIMIT $3
) AS last ORDER BY position

-- name: users_waiting
-- Whose messages wait, in the order of their ids from $1 on. A message that was said or taken in the
-- last minutes is most likely being learned from by the program that took it.
SELECT DISTINCT user_id FROM messages
WHERE needs_learning AND status = 'complete' AND user_id > $1
  AND created_at > now() - interval '7 days' AND created_at < $2
  AND (claimed_at IS NULL OR claimed_at < $2)
ORDER BY user_id LIMIT $3
