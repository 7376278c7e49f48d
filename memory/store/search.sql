-- name: search_by_keyword
-- BM25 and coverage of the question's words; see migrations/functions.sql. It finds nothing where
-- memory is off.
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
-- The candidates with what ranks and shows them, and what was told later and may have taken the
-- place of one of them, which the user was asked and has not answered. The cosine of those that
-- the vector leg did not find comes from here. What was forgotten meanwhile is not there. LIMIT
-- keeps the planner from comparing each memory with every usage.
SELECT id, content, type, importance, created_at, source_message_id,
       CASE WHEN $3::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $3) END AS cosine,
       CASE WHEN $5::halfvec IS NULL THEN NULL ELSE 1 - (embedding <=> $5) END AS nameless_cosine,
       occurred_at, valid_to, superseded_by IS NOT NULL AS superseded, bank, role, tags,
       source_ids, pinned, manually_saved, salience, repeat_count,
       coalesce(access_count, 0) AS access_count, last_accessed_at,
       array(SELECT newer.id
             FROM doubts JOIN memory_items AS newer ON newer.user_id = $1 AND newer.id = newer_id
             WHERE doubts.user_id = $1 AND older_id = item.id AND answered_at IS NULL
               AND item.superseded_by IS NULL
               AND newer.deleted_at IS NULL AND newer.superseded_by IS NULL
               AND (newer.expires_at IS NULL OR newer.expires_at > $4)
             ORDER BY newer.created_at DESC, newer.id LIMIT 8) AS doubted_by
FROM memory_items AS item
LEFT JOIN LATERAL (SELECT access_count, last_accessed_at FROM memory_usage
                   WHERE user_id = item.user_id AND item_id = item.id LIMIT 1) AS usage ON true
WHERE user_id = $1
  AND id = ANY ($2 || array(SELECT newer_id FROM doubts
                            WHERE user_id = $1 AND older_id = ANY ($2) AND answered_at IS NULL
                            ORDER BY created_at DESC LIMIT 60))
  AND deleted_at IS NULL AND {known}
  AND (expires_at IS NULL OR expires_at > $4)
  AND ($6::text[] IS NULL OR type = ANY ($6))
  AND ($7::text[] IS NULL OR bank = ANY ($7))
  AND ($8::text[] IS NULL OR role = ANY ($8))

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

-- name: search_messages_by_keyword
-- BM25 and coverage of the question's words; see migrations/functions.sql. It finds nothing where
-- memory is off.
SELECT id, bm25, coverage FROM search_messages($1, $2, $3, $4, $5, $6)

-- name: search_messages_by_vector
-- Exact nearest neighbours within the user; none at all where memory is off. A vector that waits to
-- be made anew is of other words.
SELECT message.id, 1 - (message.embedding <=> $7) AS cosine
FROM messages AS message
JOIN conversations AS chat ON chat.user_id = $1 AND chat.id = message.conversation_id
WHERE chat.space = $2 AND message.embedding IS NOT NULL AND NOT message.needs_embedding AND {found}
  AND NOT EXISTS (
      SELECT FROM memory_settings
      WHERE user_id = $1 AND space = $2 AND memory_mode = 'off')
ORDER BY message.embedding <=> $7, message.id
LIMIT $8

-- name: read_message_candidates
-- The messages of these ids ($8) with the one before and the one after, and those that followed the
-- best of them ($9): an answer need not share a word with what was asked. What a reply rested on
-- stands beside it as far as it is still remembered.
WITH wanted AS (
    SELECT unnest($8::uuid[]) AS id
    UNION
    SELECT next.id
    FROM messages AS first CROSS JOIN LATERAL (
        SELECT later.id FROM messages AS later
        WHERE later.user_id = $1 AND later.conversation_id = first.conversation_id
          AND later.position > first.position
          AND later.recallable AND later.status IN ('complete', 'interrupted') AND later.content <> ''
        ORDER BY later.position LIMIT 1) AS next
    WHERE first.user_id = $1 AND first.id = ANY ($9)
)
SELECT message.id, message.conversation_id, message.role, message.content, message.created_at,
       CASE WHEN message.needs_embedding THEN NULL ELSE 1 - (message.embedding <=> $7) END
           AS cosine,
       before.id AS before_id, before.role AS before_role, before.content AS before_content,
       before.cosine AS before_cosine,
       after.id AS after_id, after.role AS after_role, after.content AS after_content,
       after.cosine AS after_cosine,
       array(SELECT item.content
             FROM jsonb_array_elements(message.recalled) AS told
             JOIN memory_items AS item
               ON item.user_id = $1 AND item.id = (told ->> 'item_id')::uuid
                  AND item.deleted_at IS NULL) AS rested_on
FROM wanted
JOIN messages AS message ON message.user_id = $1 AND message.id = wanted.id
JOIN conversations AS chat ON chat.user_id = $1 AND chat.id = message.conversation_id
LEFT JOIN LATERAL (
    SELECT id, role, content,
           CASE WHEN needs_embedding THEN NULL ELSE 1 - (embedding <=> $7) END AS cosine
    FROM messages AS beside
    WHERE {beside} AND beside.position < message.position
    ORDER BY beside.position DESC LIMIT 1) AS before ON true
LEFT JOIN LATERAL (
    SELECT id, role, content,
           CASE WHEN needs_embedding THEN NULL ELSE 1 - (embedding <=> $7) END AS cosine
    FROM messages AS beside
    WHERE {beside} AND beside.position > message.position
    ORDER BY beside.position LIMIT 1) AS after ON true
WHERE chat.space = $2 AND {found}

-- name: found
-- What may be found: not the failed and withheld, nor what is nothing but a mark.
message.user_id = $1 AND message.role = ANY ($3)
  AND message.recallable AND message.status IN ('complete', 'interrupted')
  AND message.content NOT IN ('', '[forgotten]')
  AND message.conversation_id IS DISTINCT FROM $4
  AND message.correlation_id IS DISTINCT FROM $5
  AND ($6::timestamptz IS NULL OR message.created_at <= $6)

-- name: beside
beside.user_id = $1 AND beside.conversation_id = message.conversation_id
  AND beside.recallable AND beside.status IN ('complete', 'interrupted') AND beside.content <> ''
  AND beside.correlation_id IS DISTINCT FROM $5
