-- name: retainable
-- What a rule may take out of recall: what is in it, and was not asked for.
SELECT id, content, type, space, bank, created_at FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND NOT pinned AND NOT manually_saved
  AND superseded_by IS NULL AND created_at < $2
ORDER BY created_at, id

-- name: retire
-- What is as it was when the rules looked at it.
UPDATE memory_items AS item SET deleted_at = $2, removed_because = 'retired'
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS planned (id, content, type, bank)
WHERE item.user_id = $1 AND item.id = planned.id AND item.content = planned.content
  AND item.type = planned.type AND item.bank = planned.bank
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL
  AND NOT item.pinned AND NOT item.manually_saved
RETURNING item.id

-- name: removable
-- What has waited long enough to be removed for good, at most $4: archived or trimmed before $2,
-- cleaned, retired or expired before $3. Nothing that somebody pinned or asked to keep, nor what
-- replaced such a memory: without it that one would hold again. Nor what replaced one that waits for
-- its erasure.
SELECT id, content, type, space, bank, created_at, coalesce(removed_because, 'expired') AS why
FROM memory_items AS item
WHERE user_id = $1 AND NOT pinned AND NOT manually_saved
  AND ((deleted_at < $2 AND removed_because IN ('archived', 'trimmed'))
       OR (deleted_at < $3 AND removed_because IN ('cleaned', 'retired'))
       OR (deleted_at IS NULL AND expires_at < $3))
  AND NOT EXISTS (
      WITH RECURSIVE versions AS (
          SELECT older.id, older.pinned OR older.manually_saved
                           OR older.removed_because IS NOT DISTINCT FROM 'forgotten' AS protected
          FROM memory_items AS older WHERE older.user_id = $1 AND older.superseded_by = item.id
          UNION
          SELECT older.id, older.pinned OR older.manually_saved
                           OR older.removed_because IS NOT DISTINCT FROM 'forgotten'
          FROM memory_items AS older JOIN versions ON older.superseded_by = versions.id
          WHERE older.user_id = $1
      )
      SELECT FROM versions WHERE protected)
ORDER BY deleted_at NULLS LAST, id LIMIT $4

-- name: to_remove
-- Those of $2 that are still to be removed, with the versions that they replaced, which would hold
-- again without them. Protection is asked again, of the older versions too.
WITH RECURSIVE gone AS (
    SELECT id AS newest, id, pinned OR manually_saved
           OR removed_because IS NOT DISTINCT FROM 'forgotten' AS protected
    FROM memory_items
    WHERE user_id = $1 AND id = ANY ($2) AND (deleted_at IS NOT NULL OR expires_at IS NOT NULL)
    UNION
    SELECT gone.newest, older.id, older.pinned OR older.manually_saved
           OR older.removed_because IS NOT DISTINCT FROM 'forgotten'
    FROM memory_items AS older JOIN gone ON older.superseded_by = gone.id
    WHERE older.user_id = $1
)
SELECT DISTINCT id FROM gone WHERE newest NOT IN (SELECT newest FROM gone WHERE protected)

-- name: hand_over
-- What $2, with the versions that they replaced, name as their messages is named by their roll-ups
-- from now on: who forgets one finds what was said.
WITH RECURSIVE told AS (
    SELECT roll_up.id AS roll_up, source.id, source.source_ids, source.source_message_id
    FROM memory_items AS roll_up
    JOIN memory_items AS source ON source.user_id = $1 AND source.id = ANY (roll_up.summary_of)
    WHERE roll_up.user_id = $1 AND roll_up.summary_of && $2::uuid[] AND source.id = ANY ($2)
    UNION
    SELECT told.roll_up, older.id, older.source_ids, older.source_message_id
    FROM memory_items AS older JOIN told ON older.superseded_by = told.id
    WHERE older.user_id = $1
), named AS (
    SELECT told.roll_up, array_agg(DISTINCT message ORDER BY message) AS messages
    FROM told, unnest(told.source_ids || told.source_message_id::text) AS message
    WHERE message IS NOT NULL GROUP BY told.roll_up
)
UPDATE memory_items AS roll_up
SET source_ids = roll_up.source_ids || array(
        SELECT message FROM unnest(named.messages) AS message
        WHERE message <> ALL (roll_up.source_ids))
FROM named WHERE roll_up.user_id = $1 AND roll_up.id = named.roll_up

-- name: remove
DELETE FROM memory_items WHERE user_id = $1 AND id = ANY ($2)

-- name: read
-- What may be cleaned away: in recall, neither pinned nor saved by hand, and no roll-up.
SELECT id, content, type, space, bank, created_at FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL
  AND NOT pinned AND NOT manually_saved AND summary_of = '{}'
ORDER BY created_at, id

-- name: clean
-- What is as it was when it was judged.
UPDATE memory_items AS item SET deleted_at = $4, removed_because = 'cleaned'
FROM unnest($2::uuid[], $3::text[]) AS planned (id, content)
WHERE item.user_id = $1 AND item.id = planned.id AND item.content = planned.content
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL
  AND NOT item.pinned AND NOT item.manually_saved
RETURNING item.id

-- name: last
SELECT max(deleted_at) FROM memory_items WHERE user_id = $1 AND removed_because = 'cleaned'

-- name: undo
-- What the cleaning at $2 took, at most $3.
UPDATE memory_items
SET deleted_at = NULL, removed_because = NULL, needs_embedding = embedding IS NULL
WHERE user_id = $1 AND id IN (
    SELECT id FROM memory_items
    WHERE user_id = $1 AND removed_because = 'cleaned' AND deleted_at = $2 LIMIT $3)
RETURNING id

-- name: expire_tombstones
-- Of what was erased before $2 and may be said again: nothing is left of it but the proof.
DELETE FROM tombstones
WHERE user_id = $1 AND erased_at < $2 AND expires_at < $2

-- name: expire_audit
SELECT expire_audit($1)

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

-- name: count_tags
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
