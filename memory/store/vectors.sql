-- name: read
-- The model that all vectors are of, and the one that they are being made anew for, if any.
SELECT model, dimensions, next_model, next_dimensions FROM embedding_profile

-- name: waiting_items
-- Memories that wait for their vector, the oldest first.
SELECT user_id, id, content FROM memory_items
WHERE needs_embedding AND deleted_at IS NULL AND ($1::text IS NULL OR user_id = $1)
ORDER BY created_at LIMIT $2

-- name: waiting_messages
SELECT user_id, id, content FROM messages
WHERE needs_embedding AND ($1::text IS NULL OR user_id = $1)
ORDER BY position LIMIT $2

-- name: write_items
-- A row whose words were edited or redacted meanwhile waits for the vector of its new ones. One that
-- somebody is changing waits for the next run: to wait for it here, while others are held, could be
-- to wait for each other.
WITH free AS (
    SELECT item.user_id, item.id, filled.embedding
    FROM memory_items AS item
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON item.user_id = filled.user_id AND item.id = filled.id AND item.content = filled.content
    WHERE item.needs_embedding
    FOR NO KEY UPDATE OF item SKIP LOCKED
)
UPDATE memory_items AS item
SET embedding = free.embedding, embedding_model = $4, needs_embedding = false
FROM free WHERE item.user_id = free.user_id AND item.id = free.id
RETURNING greatest(extract(epoch FROM now() - item.waiting_since), 0)::double precision AS waited

-- name: write_messages
WITH free AS (
    SELECT message.user_id, message.id, filled.embedding
    FROM messages AS message
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON message.user_id = filled.user_id AND message.id = filled.id
     AND message.content = filled.content
    WHERE message.needs_embedding
    FOR NO KEY UPDATE OF message SKIP LOCKED
)
UPDATE messages AS message
SET embedding = free.embedding, embedding_model = $4, needs_embedding = false
FROM free WHERE message.user_id = free.user_id AND message.id = free.id
RETURNING greatest(extract(epoch FROM now() - message.waiting_since), 0)::double precision AS waited

-- name: next_waiting_items
-- Memories that have no vector of the model that follows, in the order of their keys. What was
-- forgotten or is out of recall is not sent anywhere again, and a vector that was taken away to save
-- room stays away. What only a model's name stands beside was refused by it: the one before is no
-- reason not to ask the one that follows, and that is asked once.
SELECT user_id, id, content FROM memory_items
WHERE next_embedding IS NULL AND next_embedding_model IS NULL
  AND (embedding IS NOT NULL OR needs_embedding OR embedding_model IS NOT NULL)
  AND deleted_at IS NULL AND (user_id, id) > ($1, $2)
ORDER BY user_id, id LIMIT $3

-- name: next_waiting_messages
-- What stands in the place of a forgotten message has no vector, whatever stands beside it.
SELECT user_id, id, content FROM messages
WHERE next_embedding IS NULL AND next_embedding_model IS NULL
  AND (embedding IS NOT NULL OR needs_embedding
       OR embedding_model IS NOT NULL AND content <> '[forgotten]')
  AND (user_id, id) > ($1, $2)
ORDER BY user_id, id LIMIT $3

-- name: next_write_items
-- A row whose words changed meanwhile, or that somebody is changing, waits for the next pass.
WITH free AS (
    SELECT item.user_id, item.id, filled.embedding
    FROM memory_items AS item
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON item.user_id = filled.user_id AND item.id = filled.id AND item.content = filled.content
    FOR NO KEY UPDATE OF item SKIP LOCKED
)
UPDATE memory_items AS item
SET next_embedding = free.embedding, next_embedding_model = $4
FROM free WHERE item.user_id = free.user_id AND item.id = free.id

-- name: next_write_messages
WITH free AS (
    SELECT message.user_id, message.id, filled.embedding
    FROM messages AS message
    JOIN unnest($1::text[], $2::uuid[], $3::halfvec[], $5::text[])
        AS filled (user_id, id, embedding, content)
      ON message.user_id = filled.user_id AND message.id = filled.id
     AND message.content = filled.content
    FOR NO KEY UPDATE OF message SKIP LOCKED
)
UPDATE messages AS message
SET next_embedding = free.embedding, next_embedding_model = $4
FROM free WHERE message.user_id = free.user_id AND message.id = free.id

-- name: count_items
-- Of a page of rows in the order of their keys: how many are done of how many, and the last key. A
-- whole table takes longer than a statement may. One that the next model refused is done.
WITH page AS (
    SELECT user_id, id, next_embedding_model IS NOT NULL AS made,
           deleted_at IS NULL AND (next_embedding_model IS NOT NULL OR embedding IS NOT NULL
                                   OR needs_embedding OR embedding_model IS NOT NULL) AS counts
    FROM memory_items WHERE (user_id, id) > ($1, $2)
    ORDER BY user_id, id LIMIT $3
)
SELECT (SELECT count(*) FROM page WHERE counts AND made) AS made,
       (SELECT count(*) FROM page WHERE counts) AS all_of_them, user_id, id
FROM page ORDER BY user_id DESC, id DESC LIMIT 1

-- name: count_messages
WITH page AS (
    SELECT user_id, id, next_embedding_model IS NOT NULL AS made,
           next_embedding_model IS NOT NULL OR embedding IS NOT NULL OR needs_embedding
           OR embedding_model IS NOT NULL AND content <> '[forgotten]' AS counts
    FROM messages WHERE (user_id, id) > ($1, $2)
    ORDER BY user_id, id LIMIT $3
)
SELECT (SELECT count(*) FROM page WHERE counts AND made) AS made,
       (SELECT count(*) FROM page WHERE counts) AS all_of_them, user_id, id
FROM page ORDER BY user_id DESC, id DESC LIMIT 1

-- name: set_aside_items
-- What is out of recall gets its vector when it comes back. It is marked beforehand, a few at a time,
-- so that the swap has little to write.
UPDATE memory_items SET needs_embedding = true
WHERE (user_id, id) IN (
    SELECT user_id, id FROM memory_items
    WHERE next_embedding IS NULL AND embedding IS NOT NULL AND NOT needs_embedding
      AND deleted_at IS NOT NULL
    LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)

-- name: late_items
-- Vectors of another model that a program wrote which had not noticed the swap yet, in a page of
-- rows; how many, and the last key.
WITH page AS (
    SELECT user_id, id, embedding IS NOT NULL AND embedding_model <> $1
                        AND NOT needs_embedding AS late
    FROM memory_items WHERE (user_id, id) > ($2, $3)
    ORDER BY user_id, id LIMIT $4
), marked AS (
    UPDATE memory_items AS item SET needs_embedding = true
    FROM page WHERE page.late AND item.user_id = page.user_id AND item.id = page.id
      AND item.embedding_model <> $1
    RETURNING item.id
)
SELECT (SELECT count(*) FROM marked) AS late, user_id, id
FROM page ORDER BY user_id DESC, id DESC LIMIT 1

-- name: late_messages
WITH page AS (
    SELECT user_id, id, embedding IS NOT NULL AND embedding_model <> $1
                        AND NOT needs_embedding AS late
    FROM messages WHERE (user_id, id) > ($2, $3)
    ORDER BY user_id, id LIMIT $4
), marked AS (
    UPDATE messages AS message SET needs_embedding = true
    FROM page WHERE page.late AND message.user_id = page.user_id AND message.id = page.id
      AND message.embedding_model <> $1
    RETURNING message.id
)
SELECT (SELECT count(*) FROM marked) AS late, user_id, id
FROM page ORDER BY user_id DESC, id DESC LIMIT 1

-- name: prune_vectors
-- Of what no search looks at by its vector: what has been out of recall since before $2, and what was
-- replaced before $3. It gets a new one if it comes back.
UPDATE memory_items SET embedding = NULL, embedding_model = NULL, needs_embedding = false
WHERE user_id = $1 AND embedding IS NOT NULL
  AND ((deleted_at < $2 AND removed_because <> 'forgotten')
       OR (deleted_at IS NULL AND superseded_by IS NOT NULL AND valid_to < $3))

-- name: level_keywords
-- What is found by its words: with $3 everything, else roll-ups, what its user asked to keep, and
-- what was learned since $2.
UPDATE memory_items
SET in_keywords = ($3 OR summary_of <> '{}' OR pinned OR manually_saved OR created_at >= $2)
WHERE user_id = $1 AND in_keywords
      <> ($3 OR summary_of <> '{}' OR pinned OR manually_saved OR created_at >= $2)

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
