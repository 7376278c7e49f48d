-- name: banks_of_all_users
-- Living memories of all users by bank, from an index alone.
SELECT bank, count(*) AS count FROM memory_items
WHERE deleted_at IS NULL AND superseded_by IS NULL GROUP BY bank ORDER BY bank

-- name: banks
-- What is in recall, by bank.
SELECT bank, count(*) AS count FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())
GROUP BY bank ORDER BY count DESC, bank

-- name: states
-- Every memory of the user in one state: those in recall as pinned, roll-up or no more than that.
SELECT CASE WHEN deleted_at IS NOT NULL THEN coalesce(removed_because, 'forgotten')
            WHEN superseded_by IS NOT NULL THEN 'replaced'
            WHEN expires_at <= now() THEN 'expired'
            WHEN pinned THEN 'pinned'
            WHEN cardinality(summary_of) > 0 THEN 'roll-up'
            ELSE 'in recall' END AS state,
       count(*) AS count
FROM memory_items WHERE user_id = $1 GROUP BY state ORDER BY count DESC, state

-- name: actions
-- What the user had done with them since then, by the user's own words or hand.
SELECT action, count(*) AS count FROM audit_log
WHERE user_id = $1 AND actor IN ('user', 'assistant') AND created_at >= $2
GROUP BY action ORDER BY count DESC, action

-- name: add
-- Sorted, so that two programs which write at the same time do not wait for each other.
INSERT INTO metric_totals AS total (day, name, labels, value)
SELECT $1, name, labels::jsonb, value
FROM unnest($2::text[], $3::text[], $4::double precision[]) AS counted (name, labels, value)
ORDER BY name, labels::jsonb
ON CONFLICT (day, name, labels) DO UPDATE SET value = total.value + excluded.value

-- name: read
-- From a day on, the oldest first.
SELECT day, name, labels, value FROM metric_totals WHERE day >= $1 ORDER BY day, name, labels

-- name: expire
-- As the worker.
WITH gone AS (DELETE FROM metric_totals WHERE day < $1 RETURNING 1) SELECT count(*) FROM gone
