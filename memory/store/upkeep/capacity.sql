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
