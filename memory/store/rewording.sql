-- name: about
-- The episodes that have one of the words of these sentences anywhere in them.
WITH asked AS (
    SELECT query FROM (SELECT any_word_query(text) AS query FROM unnest($2::text[]) AS text) AS made
    WHERE query IS NOT NULL
)
SELECT {columns} FROM episodes
WHERE user_id = $1 AND EXISTS (
    SELECT FROM asked WHERE asked.query @@ to_tsvector('english', concat_ws(
        ' ', task, plan::text, actions::text, lessons_learned::text, failure_modes::text)))
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
