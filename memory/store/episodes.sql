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

-- name: ids
SELECT id FROM episodes WHERE user_id = $1 ORDER BY created_at, id

-- name: about
-- Of the episodes $2 those that have one of the words of the sentences $3 anywhere in them. Each text
-- is read by itself: all that an episode says may be more than a tsvector holds. One that alone may
-- be too long for it counts as having them.
WITH asked AS MATERIALIZED (
    SELECT DISTINCT word FROM unnest($3::text[]) AS sentence, question_words(sentence) AS word
)
SELECT {columns} FROM episodes
WHERE user_id = $1 AND id = ANY ($2) AND EXISTS (
    SELECT FROM (
        SELECT task
        UNION ALL SELECT jsonb_array_elements_text(plan)
        UNION ALL SELECT unnest(lessons_learned || failure_modes)
        UNION ALL SELECT concat_ws(' ', done ->> 'type', done ->> 'input', done ->> 'result')
        FROM jsonb_array_elements(actions) AS done
    ) AS part (said)
    WHERE octet_length(said) > $4 OR EXISTS (
        SELECT FROM unnest(CASE WHEN octet_length(said) <= $4
                           THEN tsvector_to_array(to_tsvector('english', said)) END) AS held
        WHERE held IN (SELECT word FROM asked)))
ORDER BY created_at, id

-- name: reword
-- Where the task has other words, the vector of the old ones goes with them.
UPDATE episodes
SET task = $3, plan = $4::jsonb, actions = $5::jsonb, lessons_learned = $6, failure_modes = $7,
    embedding = CASE WHEN task = $3 THEN embedding END,
    embedding_model = CASE WHEN task = $3 THEN embedding_model END,
    needs_embedding = needs_embedding OR task <> $3
WHERE user_id = $1 AND id = $2

-- name: of_space
SELECT {columns} FROM episodes WHERE user_id = $1 AND space = $2 ORDER BY created_at, id

-- name: near
-- Of the episodes of a space that have ended the $8 whose tasks are most like $3, and by $7 at least:
-- the share $6 is the cosine to its vector, the rest the share of its words that theirs has; the
-- words alone where one has no vector of the model $5. Exact: every one of them is compared. None at
-- all where memory is off.
WITH asked AS MATERIALIZED (
    SELECT unnest(tsvector_to_array(to_tsvector('english', $3))) AS word
), ended AS MATERIALIZED (
    SELECT id, task, search,
           CASE WHEN embedding_model = $5 THEN 1 - (embedding <=> $4::halfvec) END AS cosine
    FROM episodes
    WHERE user_id = $1 AND space = $2 AND completed_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                      WHERE chosen.user_id = $1 AND chosen.space = $2
                        AND chosen.memory_mode = 'off')
), compared AS (
    SELECT id, task, cosine,
           count(asked.word)::double precision
           / greatest((SELECT count(*) FROM asked), 1) AS coverage
    FROM ended LEFT JOIN LATERAL unnest(tsvector_to_array(search)) AS held (word) ON true
    LEFT JOIN asked USING (word)
    GROUP BY id, task, cosine
), alike AS (
    SELECT id, task,
           CASE WHEN cosine IS NULL THEN coverage
                ELSE $6::double precision * greatest(cosine, 0) + (1 - $6) * coverage END AS likeness
    FROM compared
)
SELECT id, task, likeness FROM alike WHERE likeness >= $7 ORDER BY likeness DESC, id LIMIT $8

-- name: waiting
-- Tasks that have no vector of the model $2, the oldest first; not those that it refuses.
SELECT id, task FROM episodes
WHERE user_id = $1 AND (needs_embedding OR embedding_model IS DISTINCT FROM $2)
ORDER BY created_at LIMIT $3

-- name: fill
-- One whose task was reworded meanwhile waits for the vector of its new words. One that the model
-- refuses gets none, under the model's name, and waits no more.
UPDATE episodes AS episode
SET embedding = filled.embedding, embedding_model = $5, needs_embedding = false
FROM unnest($2::uuid[], $3::text[], $4::halfvec[]) AS filled (id, task, embedding)
WHERE user_id = $1 AND episode.id = filled.id AND episode.task = filled.task
  AND (episode.needs_embedding OR episode.embedding_model IS DISTINCT FROM $5)
