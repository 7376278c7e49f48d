-- name: search_by_keyword
-- BM25 and coverage of the question's words; see migrations/0005_recall_of_the_past.sql. It finds
-- nothing where memory is off.
SELECT id, bm25, coverage FROM search_memory_items($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: search_by_vector
-- Exact nearest neighbours within the user: no index of approximate neighbours, no missed row;
-- none at all where memory is off.
SELECT id, 1 - (embedding <=> $2) AS cosine
FROM memory_items AS item
WHERE user_id = $1 AND space = $3 AND embedding IS NOT NULL
  AND deleted_at IS NULL AND {known}
  AND (expires_at IS NULL OR expires_at > $4)
  AND ($6::text[] IS NULL OR type = ANY ($6))
  AND ($7::text[] IS NULL OR bank = ANY ($7))
  AND ($8::text[] IS NULL OR role = ANY ($8))
  AND NOT EXISTS (
      SELECT FROM memory_settings
      WHERE user_id = $1 AND space = $3 AND memory_mode = 'off')
ORDER BY embedding <=> $2, id
LIMIT $5

-- name: search_by_time
-- The memories whose {moment} lies from $6 up to, without, $7, the nearest to now first; one that
-- has no such moment is not there, and none at all where memory is off.
SELECT id, {moment} AS moment
FROM memory_items AS item
WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND {known}
  AND {moment} IS NOT NULL
  AND {moment} >= coalesce($6::timestamptz, '-infinity')
  AND {moment} < coalesce($7::timestamptz, 'infinity')
  AND (expires_at IS NULL OR expires_at > $8)
  AND ($3::text[] IS NULL OR type = ANY ($3))
  AND ($4::text[] IS NULL OR bank = ANY ($4))
  AND ($5::text[] IS NULL OR role = ANY ($5))
  AND NOT EXISTS (
      SELECT FROM memory_settings
      WHERE user_id = $1 AND space = $2 AND memory_mode = 'off')
ORDER BY abs(extract(epoch FROM {moment} - $8)), id
LIMIT $9

-- name: read_candidates
-- The candidates with what ranks and shows them. The cosine of those that the vector leg did not
-- find comes from here. What was forgotten meanwhile is not there. LIMIT keeps the planner from
-- comparing each memory with every usage.
SELECT id, content, type, importance, created_at, source_message_id,
       CASE WHEN $3::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $3) END AS cosine,
       CASE WHEN $5::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $5) END AS nameless_cosine,
       occurred_at, valid_to, superseded_by IS NOT NULL AS superseded, bank, role, tags,
       source_ids, pinned, manually_saved, salience, repeat_count,
       coalesce(access_count, 0) AS access_count, last_accessed_at
FROM memory_items AS item
LEFT JOIN LATERAL (SELECT access_count, last_accessed_at FROM memory_usage
                   WHERE user_id = item.user_id AND item_id = item.id LIMIT 1) AS usage ON true
WHERE user_id = $1 AND id = ANY ($2)
  AND deleted_at IS NULL AND {known}
  AND (expires_at IS NULL OR expires_at > $4)

-- name: known_now
-- What holds now: no version that was replaced.
superseded_by IS NULL

-- name: known_ever
-- What was replaced as well.
true

-- name: known_then
-- What was known at {as_of}, replaced since or not. An edit keeps the moment of the first wording,
-- and the old wording beside it: the new one was not known before it replaced the old one.
created_at <= {as_of} AND (valid_to IS NULL OR valid_to > {as_of})
  AND NOT EXISTS (
      SELECT FROM memory_items AS wording
      WHERE wording.user_id = $1 AND wording.superseded_by = item.id
        AND wording.created_at = item.created_at AND wording.valid_to > {as_of})

-- name: is_off
SELECT EXISTS (SELECT FROM memory_settings
               WHERE user_id = $1 AND space = $2 AND memory_mode = 'off')
