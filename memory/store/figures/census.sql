-- name: banks
-- Living memories of all users by bank, from the index of 0016 alone.
SELECT bank, count(*) AS count FROM memory_items
WHERE deleted_at IS NULL AND superseded_by IS NULL GROUP BY bank ORDER BY bank
