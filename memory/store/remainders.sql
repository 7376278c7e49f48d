-- name: keep
-- What stays ($5) of a living memory that says $3, with everything else that it has. Nothing where
-- it says something else now, is a roll-up, or where a rest of it is there already.
INSERT INTO memory_items (user_id, id, content, type, space, bank, role, tags, source_ids,
                          source_message_id, embedding, embedding_model, needs_embedding, simhash,
                          repeat_count, importance, salience, metadata_confidence, pinned,
                          manually_saved, created_at, occurred_at, expires_at, in_keywords, rest_of)
SELECT user_id, $4, $5, type, space, bank, role, $6, source_ids,
       (SELECT message.id FROM messages AS message
        WHERE message.user_id = $1 AND message.id = whole.source_message_id FOR KEY SHARE), $8, $9, $8::halfvec IS NULL, $7,
       repeat_count, importance, salience, metadata_confidence, pinned,
       manually_saved, created_at, occurred_at, expires_at, in_keywords, id
FROM memory_items AS whole
WHERE user_id = $1 AND id = $2 AND content = $3 AND deleted_at IS NULL AND superseded_by IS NULL
  AND cardinality(summary_of) = 0
ON CONFLICT DO NOTHING
RETURNING id

-- name: drop
-- The rests of the memories $2, for good; usage and doubts go with them. What stayed of a memory that is still replaced stays.
DELETE FROM memory_items AS rest
WHERE user_id = $1 AND rest_of = ANY ($2) AND deleted_at IS NULL AND superseded_by IS NULL
  AND NOT EXISTS (SELECT FROM memory_items AS older
                  WHERE older.user_id = $1 AND older.superseded_by = rest.id)
  AND NOT EXISTS (SELECT FROM memory_items AS whole
                  WHERE whole.user_id = $1 AND whole.id = rest.rest_of
                    AND whole.superseded_by IS NOT NULL)
