-- name: note
-- What a recall returned, in one statement and without touching the memories themselves. One that
-- is gone meanwhile is passed over. In the order of ids, so that two of them never wait for each
-- other; scores of an older recall do not replace those of a newer one.
INSERT INTO memory_usage AS usage (user_id, item_id, access_count, last_accessed_at, last_scores)
SELECT item.user_id, item.id, used.times, used.last_at, used.scores::jsonb
FROM unnest($2::uuid[], $3::integer[], $4::timestamptz[], $5::text[])
    AS used (item_id, times, last_at, scores)
JOIN memory_items AS item ON item.user_id = $1 AND item.id = used.item_id
WHERE item.deleted_at IS NULL
ORDER BY item.id
ON CONFLICT (user_id, item_id) DO UPDATE SET
    access_count = usage.access_count + excluded.access_count,
    last_accessed_at = greatest(usage.last_accessed_at, excluded.last_accessed_at),
    last_scores = CASE WHEN usage.last_accessed_at > excluded.last_accessed_at
                       THEN usage.last_scores ELSE excluded.last_scores END
