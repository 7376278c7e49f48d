-- name: unmarked
-- Memories from before their marks were kept, or written without them.
SELECT id, content, type, pinned FROM memory_items
WHERE user_id = $1 AND simhash IS NULL AND deleted_at IS NULL
ORDER BY created_at, id LIMIT $2

-- name: mark
-- Only where the words are still those that the marks were made of.
UPDATE memory_items AS item
SET simhash = marked.simhash, salience = marked.salience
FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::float8[])
     AS marked (id, content, simhash, salience)
WHERE item.user_id = $1 AND item.id = marked.id AND item.content = marked.content
