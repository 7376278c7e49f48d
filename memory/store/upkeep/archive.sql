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
