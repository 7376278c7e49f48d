-- name: open_conversation
-- A conversation by its id, made when it is new; its title is the first thing that was said.
INSERT INTO conversations (user_id, id, title, space) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, id) DO UPDATE SET updated_at = now()

-- name: add_message
-- Once by its id, however often it is sent: a reply is kept as it grows, and a connection can be
-- lost after the commit. Words that were forgotten meanwhile do not come back: what is there keeps
-- its words unless it has grown, or is what was kept last ($11); what is there no more stays so, and
-- its columns are null. `before` is the position of the one before it.
WITH kept AS (
    INSERT INTO messages (user_id, conversation_id, role, content, status, correlation_id, recalled, id,
                          needs_learning, recallable)
    SELECT $1::text, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::jsonb, $8::uuid, $9::boolean,
           $10::boolean
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
