-- name: start
INSERT INTO episodes (user_id, task, plan, space, embedding, embedding_model, needs_embedding)
VALUES ($1, $2, $3::jsonb, $4, $5, $6, $5::halfvec IS NULL)
RETURNING {columns}

-- name: record
-- One more action of an episode that goes on and has room for it: for so many ($4), and bytes ($5).
UPDATE episodes SET actions = actions || $3::jsonb, updated_at = now()
WHERE user_id = $1 AND id = $2 AND completed_at IS NULL AND jsonb_array_length(actions) < $4
  AND octet_length(actions::text) + octet_length($3::jsonb::text) <= $5
RETURNING {columns}

-- name: complete
UPDATE episodes
SET outcome_score = $3, lessons_learned = $4, failure_modes = $5, completed_at = now(),
    updated_at = now()
WHERE user_id = $1 AND id = $2 AND completed_at IS NULL
RETURNING {columns}

-- name: read
SELECT {columns} FROM episodes WHERE user_id = $1 AND id = $2

-- name: read_all
SELECT {columns} FROM episodes WHERE user_id = $1 AND id = ANY ($2)

-- name: browse
-- Of a space, the newest first, after the one of that moment and id.
SELECT {columns} FROM episodes
WHERE user_id = $1 AND space = $2
  AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
ORDER BY created_at DESC, id DESC LIMIT $5

-- name: delete
DELETE FROM episodes WHERE user_id = $1 AND id = $2 RETURNING id

-- name: drop_abandoned
-- The open ones that nothing was done with since $2, and beyond the $3 newest those that nothing
-- was done with the longest.
WITH opened AS (
    SELECT id, updated_at, row_number() OVER (ORDER BY updated_at DESC, id) AS place
    FROM episodes WHERE user_id = $1 AND completed_at IS NULL
)
DELETE FROM episodes WHERE user_id = $1 AND completed_at IS NULL AND id IN (
    SELECT id FROM opened WHERE updated_at < $2 OR place > $3)
RETURNING id

-- name: drop_worthless
-- Those that have ended and are worth less than $3, by the midpoint $2; and beyond the cap $4 those
-- that are worth the least, the oldest of them first (004, 2.2).
WITH valued AS (
    SELECT id, value, row_number() OVER (ORDER BY value DESC, completed_at DESC, id) AS place
    FROM episodes
    CROSS JOIN LATERAL (SELECT greatest(1 - abs(outcome_score - $2), 0) AS value) AS worth
    WHERE user_id = $1 AND completed_at IS NOT NULL
)
DELETE FROM episodes WHERE user_id = $1 AND completed_at IS NOT NULL AND id IN (
    SELECT id FROM valued WHERE value < $3 OR place > $4)
RETURNING id

-- name: owners
-- As the worker: the next users after $1 who have episodes, by their names. It jumps from one to the
-- next.
WITH RECURSIVE next AS (
    (SELECT user_id FROM episodes WHERE user_id > $1 ORDER BY user_id LIMIT 1)
    UNION ALL
    SELECT (SELECT episode.user_id FROM episodes AS episode
            WHERE episode.user_id > next.user_id ORDER BY episode.user_id LIMIT 1)
    FROM next WHERE next.user_id IS NOT NULL
)
SELECT user_id FROM next WHERE user_id IS NOT NULL LIMIT $2
