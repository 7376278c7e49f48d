-- name: separable
-- The living memories of $2 of which a part may stay: no roll-up, none that replaced another (whose
-- words go too), and none of a space in which nothing may be kept.
SELECT id FROM memory_items AS item
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND superseded_by IS NULL
  AND cardinality(summary_of) = 0
  AND NOT EXISTS (SELECT FROM memory_items AS older
                  WHERE older.user_id = $1 AND older.superseded_by = item.id)
  AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                  WHERE chosen.user_id = $1 AND chosen.space = item.space
                    AND chosen.memory_mode <> 'full')

-- name: keep_rest
-- What stays ($5) of a living memory that says $3, with everything else that it has. Nothing where
-- it says something else now, or where a rest of it is there already.
INSERT INTO memory_items (user_id, id, content, type, space, bank, role, tags, source_ids,
                          source_message_id, embedding, embedding_model, needs_embedding, simhash,
                          repeat_count, importance, salience, metadata_confidence, pinned,
                          manually_saved, created_at, occurred_at, expires_at, in_keywords)
SELECT user_id, $4, $5, type, space, bank, role, $6, source_ids,
       source_message_id, $8, $9, false, $7,
       repeat_count, importance, salience, metadata_confidence, pinned,
       manually_saved, created_at, occurred_at, expires_at, in_keywords
FROM memory_items
WHERE user_id = $1 AND id = $2 AND content = $3 AND deleted_at IS NULL AND superseded_by IS NULL
ON CONFLICT DO NOTHING
RETURNING id

-- name: drop_rests
-- For good; usage and doubts go with them.
DELETE FROM memory_items AS rest
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND superseded_by IS NULL
  AND NOT EXISTS (SELECT FROM memory_items AS older
                  WHERE older.user_id = $1 AND older.superseded_by = rest.id)
