-- name: candidates
-- The oldest memories after $4 that may be put together: in recall, with a vector, older than $2 and
-- not recalled since, over at $3, never pinned or saved by hand, without a date on which they end, no
-- roll-up, and no part of a question that the user has not answered. None of a
-- space whose mode forbids new memories.
SELECT item.id, item.content, item.type, item.space, item.bank, item.role, item.tags,
       item.source_ids, item.importance, item.metadata_confidence, item.created_at,
       item.occurred_at, item.embedding, item.embedding_model
FROM memory_items AS item
LEFT JOIN LATERAL (SELECT last_accessed_at FROM memory_usage
                   WHERE user_id = item.user_id AND item_id = item.id LIMIT 1) AS usage ON true
WHERE item.user_id = $1 AND item.deleted_at IS NULL AND item.superseded_by IS NULL
  AND item.embedding IS NOT NULL AND item.created_at < $2
  AND (usage.last_accessed_at IS NULL OR usage.last_accessed_at < $2)
  AND NOT item.pinned AND NOT item.manually_saved
  AND item.expires_at IS NULL AND item.summary_of = '{}'
  AND (item.occurred_at IS NULL OR item.occurred_at < $3)
  AND NOT EXISTS (SELECT FROM doubts
                  WHERE doubts.user_id = $1 AND answered_at IS NULL
                    AND item.id IN (older_id, newer_id))
  AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                  WHERE chosen.user_id = $1 AND chosen.space = item.space
                    AND chosen.memory_mode <> 'full')
  AND (item.created_at, item.id) > ($4::timestamptz, $5::uuid)
ORDER BY item.created_at, item.id LIMIT $6

-- name: in_recall
-- What is nearest to a question is one of these, whatever it is.
SELECT id, space, embedding FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL AND embedding IS NOT NULL
  AND (expires_at IS NULL OR expires_at > $2)

-- name: tags_borne
SELECT lower(tag) AS tag, count(*) FROM memory_items, unnest(tags) AS tag
WHERE user_id = $1 AND summary_of = '{}' AND removed_because IS DISTINCT FROM 'forgotten'
GROUP BY 1

-- name: unchanged
-- Those of the sources that are as they were when the roll-up was made of them, locked; their vectors
-- too, which are not when another model ($4) took the place of the one that made them.
SELECT item.id FROM memory_items AS item
JOIN unnest($2::uuid[], $3::text[]) AS read (id, content) ON read.id = item.id
WHERE item.user_id = $1 AND item.content = read.content
  AND item.embedding_model IS NOT DISTINCT FROM $4
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL
  AND NOT item.pinned AND NOT item.manually_saved
  AND NOT EXISTS (SELECT FROM doubts
                  WHERE doubts.user_id = $1 AND answered_at IS NULL
                    AND item.id IN (older_id, newer_id))
FOR UPDATE OF item

-- name: link
UPDATE memory_items SET summary_of = $3 WHERE user_id = $1 AND id = $2

-- name: archive
UPDATE memory_items SET deleted_at = $3, removed_because = 'archived'
WHERE user_id = $1 AND id = ANY ($2)

-- name: supersede
UPDATE memory_items AS item SET superseded_by = clash.newer, valid_to = $4
FROM unnest($2::uuid[], $3::uuid[]) AS clash (older, newer)
WHERE item.user_id = $1 AND item.id = clash.older
