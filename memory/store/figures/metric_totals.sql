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
