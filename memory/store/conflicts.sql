-- name: insert
-- Asked once, however often the two meet.
INSERT INTO doubts (user_id, older_id, newer_id) VALUES ($1, $2, $3)
ON CONFLICT (user_id, older_id, newer_id) DO UPDATE SET older_id = excluded.older_id
RETURNING id

-- name: open
-- The questions of a space that no answer was given to, while both memories live; oldest first,
-- after the one of that moment and id.
SELECT doubts.id, doubts.created_at, doubts.older_id, doubts.newer_id
FROM doubts
JOIN memory_items AS older ON older.user_id = doubts.user_id AND older.id = doubts.older_id
JOIN memory_items AS newer ON newer.user_id = doubts.user_id AND newer.id = doubts.newer_id
WHERE doubts.user_id = $1 AND newer.space = $2 AND doubts.answered_at IS NULL
  AND older.deleted_at IS NULL AND older.superseded_by IS NULL
  AND newer.deleted_at IS NULL AND newer.superseded_by IS NULL
  AND ($3::timestamptz IS NULL OR (doubts.created_at, doubts.id) > ($3, $4::uuid))
ORDER BY doubts.created_at, doubts.id LIMIT $5

-- name: answer
-- Answers a question that waits; which two memories it is about.
UPDATE doubts SET answer = $3, answered_at = now()
WHERE user_id = $1 AND id = $2 AND answered_at IS NULL
RETURNING older_id, newer_id

-- name: never_held
-- What the user says did not replace the older one was true at no time, and so ended before it began:
-- no question about the past finds it. (Two of one file may begin and end at the same moment.)
UPDATE memory_items SET valid_to = created_at - interval '1 second' WHERE user_id = $1 AND id = $2
