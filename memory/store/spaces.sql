-- name: read
SELECT memory_mode, incognito_default, redact_messages
FROM memory_settings WHERE user_id = $1 AND space = $2

-- name: change
INSERT INTO memory_settings (user_id, space, memory_mode, incognito_default, redact_messages)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, space) DO UPDATE
SET memory_mode = excluded.memory_mode, incognito_default = excluded.incognito_default,
    redact_messages = excluded.redact_messages, updated_at = now()

-- name: lock_settings
-- Two changes at once would each write back what the other changed.
SELECT pg_advisory_xact_lock(hashtextextended('settings:' || $1, 0))

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

-- name: noted
-- The same of those whose acts or whose erased memories are noted, whether or not they have any
-- left.
WITH RECURSIVE next AS (
    SELECT least(
        (SELECT user_id FROM audit_log WHERE user_id > $1 ORDER BY user_id LIMIT 1),
        (SELECT user_id FROM tombstones WHERE user_id > $1 ORDER BY user_id LIMIT 1)) AS user_id
    UNION ALL
    SELECT least(
        (SELECT entry.user_id FROM audit_log AS entry
         WHERE entry.user_id > next.user_id ORDER BY entry.user_id LIMIT 1),
        (SELECT stone.user_id FROM tombstones AS stone
         WHERE stone.user_id > next.user_id ORDER BY stone.user_id LIMIT 1))
    FROM next WHERE next.user_id IS NOT NULL
)
SELECT user_id FROM next WHERE user_id IS NOT NULL LIMIT $2
