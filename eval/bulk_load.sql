-- name: memories
-- Many memories of one user that already have their vectors, with ids of the caller's.
INSERT INTO memory_items (user_id, id, content, type, embedding, embedding_model, needs_embedding)
SELECT $1, loaded.id, loaded.content, 'fact', loaded.embedding, $5, false
FROM unnest($2::uuid[], $3::text[], $4::halfvec[]) AS loaded (id, content, embedding)

-- name: conversation
INSERT INTO conversations (user_id, id, title) VALUES ($1, $2, $3)

-- name: messages
-- The messages of a conversation, their positions in the order of the arrays; they wait for their
-- vectors.
INSERT INTO messages (user_id, conversation_id, id, role, content, correlation_id, created_at)
SELECT $1, $2, loaded.id, loaded.role, loaded.content, loaded.correlation_id, loaded.created_at
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[])
    WITH ORDINALITY AS loaded (id, role, content, correlation_id, created_at, place)
ORDER BY loaded.place
