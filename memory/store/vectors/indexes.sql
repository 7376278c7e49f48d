-- name: prune_vectors
-- Of what no search looks at by its vector: what has been out of recall since before $2, and what was
-- replaced before $3. It gets a new one if it comes back.
UPDATE memory_items SET embedding = NULL, embedding_model = NULL, needs_embedding = false
WHERE user_id = $1 AND embedding IS NOT NULL
  AND ((deleted_at < $2 AND removed_because <> 'forgotten')
       OR (deleted_at IS NULL AND superseded_by IS NOT NULL AND valid_to < $3))

-- name: level_keywords
-- What is found by its words: with $3 everything, else roll-ups, what its user asked to keep, and
-- what was learned since $2.
UPDATE memory_items
SET in_keywords = ($3 OR summary_of <> '{}' OR pinned OR manually_saved OR created_at >= $2)
WHERE user_id = $1 AND in_keywords
      <> ($3 OR summary_of <> '{}' OR pinned OR manually_saved OR created_at >= $2)
