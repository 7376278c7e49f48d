-- name: between
-- The cosine of each pair of a few memories, once, the lower id first. Each vector is read once; one
-- without direction is near nothing.
WITH asked AS MATERIALIZED (
    SELECT id, embedding FROM memory_items
    WHERE user_id = $1 AND id = ANY ($2) AND embedding IS NOT NULL AND deleted_at IS NULL
)
SELECT one.id AS one, other.id AS other,
       coalesce(nullif(1 - (one.embedding <=> other.embedding), 'NaN'), 0) AS cosine
FROM asked AS one JOIN asked AS other ON one.id < other.id
