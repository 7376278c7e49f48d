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

-- name: browse
-- Of a space, the newest first, after the one of that moment and id.
SELECT {columns} FROM episodes
WHERE user_id = $1 AND space = $2
  AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
ORDER BY created_at DESC, id DESC LIMIT $5

-- name: delete
DELETE FROM episodes WHERE user_id = $1 AND id = $2 RETURNING id

-- name: similar
-- The episodes of a space that have ended, with their cosine to the task and the share of its words
-- that theirs has. Exact: every one of them is compared. None at all where memory is off.
WITH asked AS (
    SELECT tsvector_to_array(to_tsvector('english', $3)) AS words
)
SELECT {columns},
       CASE WHEN $4::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $4) END AS cosine,
       (SELECT count(*) FROM unnest(asked.words) AS word
        WHERE word = ANY (tsvector_to_array(search)))::double precision
       / greatest(cardinality(asked.words), 1) AS coverage
FROM episodes CROSS JOIN asked
WHERE user_id = $1 AND space = $2 AND completed_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                  WHERE chosen.user_id = $1 AND chosen.space = $2 AND chosen.memory_mode = 'off')

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

-- name: waiting
SELECT id, task FROM episodes WHERE user_id = $1 AND needs_embedding ORDER BY created_at LIMIT $2

-- name: fill
UPDATE episodes AS episode
SET embedding = filled.embedding, embedding_model = $4, needs_embedding = false
FROM unnest($2::uuid[], $3::halfvec[]) AS filled (id, embedding)
WHERE user_id = $1 AND episode.id = filled.id AND episode.needs_embedding

-- name: owners
-- As the worker: whose episodes there are.
SELECT DISTINCT user_id FROM episodes ORDER BY user_id
