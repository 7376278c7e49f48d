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
