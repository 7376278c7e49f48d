-- name: read
SELECT memory_mode, incognito_default, redact_messages, notices
FROM memory_settings WHERE user_id = $1 AND space = $2

-- name: change
INSERT INTO memory_settings (user_id, space, memory_mode, incognito_default, redact_messages,
                             notices)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (user_id, space) DO UPDATE
SET memory_mode = excluded.memory_mode, incognito_default = excluded.incognito_default,
    redact_messages = excluded.redact_messages, notices = excluded.notices,
    updated_at = now()

-- name: lock_settings
-- Two changes at once would each write back what the other changed.
SELECT pg_advisory_xact_lock(hashtextextended('settings:' || $1, 0))
