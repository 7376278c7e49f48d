-- name: load
-- Many memories of one user that already have their vectors, with ids of the caller's.
INSERT INTO memory_items (user_id, id, content, type, embedding, embedding_model, needs_embedding)
SELECT $1, loaded.id, loaded.content, 'fact', loaded.embedding, $5, false
FROM unnest($2::uuid[], $3::text[], $4::halfvec[]) AS loaded (id, content, embedding)
