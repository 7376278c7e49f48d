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
