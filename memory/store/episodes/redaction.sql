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
