-- name: needs_learning
SELECT needs_learning FROM messages WHERE user_id = $1 AND id = $2

-- name: learned
UPDATE messages SET needs_learning = false WHERE user_id = $1 AND id = $2 AND needs_learning

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
