-- name: needs_learning
SELECT needs_learning FROM messages WHERE user_id = $1 AND id = $2

-- name: learned
UPDATE messages SET needs_learning = false, learning_tries = 0
WHERE user_id = $1 AND id = $2 AND needs_learning

-- name: begin
UPDATE messages SET learning_tries = learning_tries + 1
WHERE user_id = $1 AND id = $2 AND needs_learning

-- name: give_back
UPDATE messages SET learning_tries = learning_tries - 1
WHERE user_id = $1 AND id = $2 AND needs_learning AND learning_tries > 0

-- name: give_up
-- What was begun $2 times and never came back.
UPDATE messages SET needs_learning = false
WHERE user_id = $1 AND needs_learning AND learning_tries >= $2 RETURNING id

-- name: waiting
-- Messages that were not learned from, the oldest first, with what the turn's reply recalled, so
-- that it is not learned again. One that could not be learned from for a week is left.
SELECT message.id, message.role, message.content, message.created_at, message.correlation_id,
       conversation.space,
       array(SELECT item.content
             FROM messages AS reply, jsonb_array_elements(reply.recalled) AS rested (upon)
             JOIN memory_items AS item
               ON item.user_id = $1 AND item.id::text = rested.upon ->> 'item_id'
             WHERE reply.user_id = $1 AND reply.correlation_id = message.correlation_id) AS recalled
FROM messages AS message
JOIN conversations AS conversation
  ON conversation.user_id = message.user_id AND conversation.id = message.conversation_id
WHERE message.user_id = $1 AND message.needs_learning AND message.status = 'complete'
  AND message.created_at > now() - interval '7 days'
ORDER BY message.position LIMIT $2

-- name: said_before
-- The last messages before one in its conversation, the oldest first.
SELECT role, content AS text FROM (
    SELECT earlier.role, earlier.content, earlier.position
    FROM messages AS message
    JOIN messages AS earlier
      ON earlier.user_id = message.user_id AND earlier.conversation_id = message.conversation_id
     AND earlier.position < message.position
    WHERE message.user_id = $1 AND message.id = $2
      AND earlier.role IN ('user', 'assistant') AND earlier.status = 'complete'
    ORDER BY earlier.position DESC LIMIT $3
) AS last ORDER BY position

-- name: users_waiting
-- Whose messages wait, in the order of their ids from $1 on. A message of the last minutes is most
-- likely being learned from by the program that took it.
SELECT DISTINCT user_id FROM messages
WHERE needs_learning AND status = 'complete' AND user_id > $1
  AND created_at > now() - interval '7 days' AND created_at < $2
ORDER BY user_id LIMIT $3
