-- name: find_neighbours
-- What a new memory may repeat, replace or contradict: the nearest by vector, those of nearly the
-- same words, and what was replaced lately and may hold again. Words
-- alone stand in where one of the two vectors is missing.
WITH considered AS MATERIALIZED (
    SELECT id, superseded_by IS NOT NULL AS replaced,
           nullif(1 - (embedding <=> $3), 'NaN') AS cosine,
           bit_count((simhash # $4)::bit(64)) AS distance
    FROM memory_items
    WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL
      AND (superseded_by IS NULL OR valid_to > now() - interval '30 days')
      AND (expires_at IS NULL OR expires_at > now())
), nearest AS (
    SELECT id FROM considered
    WHERE NOT replaced AND cosine >= 0.3 ORDER BY cosine DESC, id LIMIT 20
), alike AS (
    SELECT id FROM considered
    WHERE NOT replaced AND cosine IS NULL AND distance <= 24 ORDER BY distance, id LIMIT 20
), said_before AS (
    SELECT id FROM considered
    WHERE (NOT replaced AND distance <= 3)
       OR (replaced AND (cosine >= 0.9 OR distance <= 8))
    ORDER BY replaced, distance, id LIMIT 100
), chosen AS (
    SELECT id FROM nearest UNION SELECT id FROM alike UNION SELECT id FROM said_before
)
-- By an array, since a join of rows that no statistics are known of is planned as a nested loop.
SELECT {columns}, simhash, source_ids, superseded_by IS NOT NULL AS replaced,
       nullif(1 - (embedding <=> $3), 'NaN') AS cosine
FROM memory_items
WHERE user_id = $1 AND id = ANY (ARRAY(SELECT id FROM chosen))
ORDER BY replaced, cosine DESC NULLS LAST, id
