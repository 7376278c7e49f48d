-- name: record
INSERT INTO audit_log (user_id, action, actor, item_id, correlation_id, detail)
VALUES ($1, $2, $3, $4, $5, $6::jsonb)

-- name: read
-- What was done with a user's memory, the newest first, before an id where one is given.
SELECT id, action, actor, item_id, correlation_id, detail, created_at
FROM audit_log WHERE user_id = $1 AND ($2::bigint IS NULL OR id < $2)
ORDER BY id DESC LIMIT $3

-- name: of_item
-- What was done with one memory, the oldest first.
SELECT id, action, actor, item_id, correlation_id, detail, created_at
FROM audit_log WHERE user_id = $1 AND item_id = $2 ORDER BY id LIMIT 50
