-- name: search_by_keyword
-- BM25 and coverage of the question's words; see migrations/0004_write_path.sql. It finds nothing
-- where memory is off.
SELECT id, bm25, coverage FROM search_memory_items($1, $2, $3, $4, $5, $6, $7)

-- name: search_by_vector
-- Exact nearest neighbours within the user: no index of approximate neighbours, no missed row;
-- none at all where memory is off.
SELECT id, 1 - (embedding <=> $2) AS cosine
FROM memory_items
WHERE user_id = $1 AND space = $3 AND embedding IS NOT NULL
  AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > $4)
  AND ($6::text[] IS NULL OR type = ANY ($6))
  AND ($7::text[] IS NULL OR bank = ANY ($7))
  AND ($8::text[] IS NULL OR role = ANY ($8))
  AND NOT EXISTS (
      SELECT FROM memory_settings
      WHERE user_id = $1 AND space = $3 AND memory_mode = 'off')
ORDER BY embedding <=> $2, id
LIMIT $5

-- name: read_candidates
-- The candidates of both legs with what ranks and shows them. The cosine of those that only the
-- keyword leg found comes from here. What was forgotten meanwhile is not there.
SELECT id, content, type, importance, created_at, source_message_id,
       CASE WHEN $3::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $3) END AS cosine,
       CASE WHEN $5::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $5) END AS nameless_cosine
FROM memory_items
WHERE user_id = $1 AND id = ANY ($2)
  AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > $4)

-- name: is_off
SELECT EXISTS (SELECT FROM memory_settings
               WHERE user_id = $1 AND space = $2 AND memory_mode = 'off')
