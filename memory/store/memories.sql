-- name: release
-- What only these roll-ups ($2) had taken out of recall is in it again, without what is named in $3.
UPDATE memory_items AS source
SET deleted_at = NULL, removed_because = NULL, needs_embedding = source.embedding IS NULL
WHERE source.user_id = $1 AND source.removed_because = 'archived' AND source.id <> ALL ($3)
  AND source.id = ANY (ARRAY(SELECT unnest(roll_up.summary_of) FROM memory_items AS roll_up
                             WHERE roll_up.user_id = $1 AND roll_up.id = ANY ($2)))
RETURNING source.id

-- name: archive_again
-- What a roll-up that came back ($2) tells of, unless its user asked to keep it meanwhile.
UPDATE memory_items AS source SET deleted_at = now(), removed_because = 'archived'
WHERE source.user_id = $1 AND NOT source.pinned AND NOT source.manually_saved
  AND source.superseded_by IS NULL
  AND (source.deleted_at IS NULL OR source.removed_because = 'trimmed')
  AND source.id = ANY (ARRAY(SELECT unnest(roll_up.summary_of) FROM memory_items AS roll_up
                             WHERE roll_up.user_id = $1 AND roll_up.id = ANY ($2)
                               AND roll_up.deleted_at IS NULL))

-- name: contradicted
-- Which of the memories ($2) that a roll-up was made of the new one ($3) is about: the nearest by meaning.
SELECT source.id
FROM memory_items AS source
JOIN memory_items AS new ON new.user_id = $1 AND new.id = $3
WHERE source.user_id = $1 AND source.id = ANY ($2)
ORDER BY source.embedding <=> new.embedding, source.id
FETCH FIRST 1 ROW ONLY

-- name: replace
UPDATE memory_items SET superseded_by = $3, valid_to = now() WHERE user_id = $1 AND id = $2

-- name: lock_user
-- One writer of a user's memories at a time, so that two turns cannot both find nothing.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: insert
-- Without its message where that is not there any more; a deletion under way is waited for.
INSERT INTO memory_items (user_id, content, type, space, bank, role, tags, source_ids,
                          source_message_id, importance, salience, metadata_confidence, pinned,
                          manually_saved, simhash, occurred_at, created_at, expires_at,
                          embedding, embedding_model, needs_embedding)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
        (SELECT id FROM messages WHERE user_id = $1::varchar AND id = $9 FOR KEY SHARE),
        $10, $11, $12, $13, $14, $15, $16, coalesce($17, now()), $18, $19, $20,
        $19::halfvec IS NULL)
RETURNING {columns}

-- name: count_repeat
-- A memory that was said again: counted by $10, 0 or 1, and true again if it had been replaced.
-- Nothing where the mode of the space forbids it, as the trigger does for new memories.
UPDATE memory_items
SET repeat_count = repeat_count + $10, tags = $3, source_ids = $4, importance = $5,
    metadata_confidence = greatest(metadata_confidence, $6),
    manually_saved = manually_saved OR $7, pinned = pinned OR $8,
    in_keywords = in_keywords OR $7 OR $8,
    occurred_at = coalesce(occurred_at, $9), salience = $11, superseded_by = NULL, valid_to = NULL,
    needs_embedding = embedding IS NULL
WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                  WHERE chosen.user_id = $1 AND chosen.space = memory_items.space
                    AND chosen.memory_mode <> 'full')
RETURNING {columns}

-- name: supersede
-- Takes a memory out of recall because another one holds now.
UPDATE memory_items SET superseded_by = $3, valid_to = now()
WHERE user_id = $1 AND id = $2 AND superseded_by IS NULL AND id <> $3
RETURNING {columns}

-- name: undo_supersede
UPDATE memory_items
SET superseded_by = NULL, valid_to = NULL, needs_embedding = embedding IS NULL
WHERE user_id = $1 AND id = $2 AND superseded_by IS NOT NULL AND deleted_at IS NULL
RETURNING {columns}

-- name: inherit_pin
UPDATE memory_items SET pinned = true, salience = $3, in_keywords = true WHERE user_id = $1 AND id = $2

-- name: list_recent
SELECT {columns}
FROM memory_items
WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())
ORDER BY created_at DESC, id LIMIT $3

-- name: count
SELECT count(*) FROM memory_items
WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())

-- name: delete
-- Soft: the row stays for undo, the vector goes.
UPDATE memory_items SET deleted_at = now(), embedding = NULL, needs_embedding = false
WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL

-- name: read_living
SELECT {columns} FROM memory_items
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND superseded_by IS NULL

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
    WHERE NOT replaced AND cosine IS NOT NULL ORDER BY cosine DESC, id LIMIT 20
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

-- name: read_rows
-- The memories that count towards the cap, with what they are weighed by. LIMIT keeps the planner,
-- which knows nothing of how many there are, from comparing each memory with every usage.
SELECT item.id, item.created_at, item.importance, item.pinned, item.manually_saved,
       usage.last_accessed_at, usage.last_scores
FROM memory_items AS item
LEFT JOIN LATERAL (SELECT last_accessed_at, last_scores FROM memory_usage
                   WHERE user_id = item.user_id AND item_id = item.id LIMIT 1) AS usage ON true
WHERE item.user_id = $1 AND item.space = $2
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL
  AND (item.expires_at IS NULL OR item.expires_at > now())

-- name: count_above
SELECT coalesce(sum(greatest(least(held - $2, free - $3), 0)), 0)
FROM (SELECT count(*) AS held, count(*) FILTER (WHERE NOT pinned AND NOT manually_saved) AS free
      FROM memory_items
      WHERE user_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL
        AND (expires_at IS NULL OR expires_at > now())
      GROUP BY space) AS counted

-- name: write_scores
INSERT INTO memory_usage (user_id, item_id, last_scores)
SELECT $1, scored.item_id, scored.scores::jsonb
FROM unnest($2::uuid[], $3::text[]) AS scored (item_id, scores)
ON CONFLICT (user_id, item_id) DO UPDATE SET last_scores = excluded.last_scores

-- name: trim
-- Protection is asked again: the user may have pinned one since it was read.
UPDATE memory_items SET deleted_at = $3, removed_because = 'trimmed'
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND NOT pinned AND NOT manually_saved
RETURNING id

-- name: untrim
-- Whatever upkeep took it out of recall. Brought back because its user asked for it, so that the
-- next trimming takes another one.
UPDATE memory_items
SET deleted_at = NULL, removed_because = NULL, manually_saved = true,
    needs_embedding = embedding IS NULL, in_keywords = true
WHERE user_id = $1 AND id = $2
  AND removed_because IN ('trimmed', 'archived', 'cleaned', 'retired')
RETURNING {columns}

-- name: note
-- What a recall returned, in one statement and without touching the memories themselves. One that
-- is gone meanwhile is passed over. In the order of ids, so that two of them never wait for each
-- other; scores of an older recall do not replace those of a newer one.
INSERT INTO memory_usage AS usage (user_id, item_id, access_count, last_accessed_at, last_scores)
SELECT item.user_id, item.id, used.times, used.last_at, used.scores::jsonb
FROM unnest($2::uuid[], $3::integer[], $4::timestamptz[], $5::text[])
    AS used (item_id, times, last_at, scores)
JOIN memory_items AS item ON item.user_id = $1 AND item.id = used.item_id
WHERE item.deleted_at IS NULL
ORDER BY item.id
ON CONFLICT (user_id, item_id) DO UPDATE SET
    access_count = usage.access_count + excluded.access_count,
    last_accessed_at = greatest(usage.last_accessed_at, excluded.last_accessed_at),
    last_scores = CASE WHEN usage.last_accessed_at > excluded.last_accessed_at
                       THEN usage.last_scores ELSE excluded.last_scores END
