-- name: spaces
SELECT DISTINCT space FROM memory_items WHERE user_id = $1 AND deleted_at IS NULL ORDER BY space

-- name: users
-- The next users after $1 who have memories, by their names. For the worker. It jumps from one to the
-- next, and does not read their memories.
WITH RECURSIVE next AS (
    (SELECT user_id FROM memory_items WHERE user_id > $1 ORDER BY user_id LIMIT 1)
    UNION ALL
    SELECT (SELECT item.user_id FROM memory_items AS item
            WHERE item.user_id > next.user_id ORDER BY item.user_id LIMIT 1)
    FROM next WHERE next.user_id IS NOT NULL
)
SELECT user_id FROM next WHERE user_id IS NOT NULL LIMIT $2
