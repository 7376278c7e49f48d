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
