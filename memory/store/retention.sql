-- name: retainable
-- What a rule may take out of recall: what is in it, and was not asked for.
SELECT id, content, type, space, bank, created_at FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND NOT pinned AND NOT manually_saved
  AND superseded_by IS NULL AND created_at < $2
ORDER BY created_at, id

-- name: retire
UPDATE memory_items SET deleted_at = $3, removed_because = 'retired'
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND NOT pinned AND NOT manually_saved
RETURNING id

-- name: removable
-- What has waited long enough to be removed for good, at most $4: archived or trimmed before $2,
-- cleaned, retired or expired before $3. Nothing that somebody pinned or asked to keep, nor what
-- replaced such a memory: without it that one would hold again.
SELECT id, content, type, space, bank, created_at, coalesce(removed_because, 'expired') AS why
FROM memory_items AS item
WHERE user_id = $1 AND NOT pinned AND NOT manually_saved
  AND ((deleted_at < $2 AND removed_because IN ('archived', 'trimmed'))
       OR (deleted_at < $3 AND removed_because IN ('cleaned', 'retired'))
       OR (deleted_at IS NULL AND expires_at < $3))
  AND NOT EXISTS (
      WITH RECURSIVE versions AS (
          SELECT older.id, older.pinned OR older.manually_saved AS protected
          FROM memory_items AS older WHERE older.user_id = $1 AND older.superseded_by = item.id
          UNION
          SELECT older.id, older.pinned OR older.manually_saved
          FROM memory_items AS older JOIN versions ON older.superseded_by = versions.id
          WHERE older.user_id = $1
      )
      SELECT FROM versions WHERE protected)
ORDER BY deleted_at NULLS LAST, id LIMIT $4

-- name: remove
-- With the versions that they replaced, which would hold again without them.
WITH RECURSIVE gone AS (
    SELECT id FROM memory_items
    WHERE user_id = $1 AND id = ANY ($2) AND NOT pinned AND NOT manually_saved
      AND (deleted_at IS NOT NULL OR expires_at IS NOT NULL)
    UNION
    SELECT older.id FROM memory_items AS older JOIN gone ON older.superseded_by = gone.id
    WHERE older.user_id = $1
)
DELETE FROM memory_items WHERE user_id = $1 AND id IN (SELECT id FROM gone)
RETURNING id
