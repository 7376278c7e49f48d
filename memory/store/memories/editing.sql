-- name: keep_old_wording
-- The memory as it was, as a replaced one: out of recall, linked to what it became, undoable.
INSERT INTO memory_items (user_id, content, type, space, bank, role, tags, source_ids,
                          source_message_id, embedding, embedding_model, needs_embedding, simhash,
                          repeat_count, importance, salience, metadata_confidence, pinned,
                          manually_saved, created_at, occurred_at, expires_at, summary_of,
                          superseded_by, valid_to, heard)
SELECT user_id, content, type, space, bank, role, tags, source_ids,
       source_message_id, embedding, embedding_model, needs_embedding, simhash,
       repeat_count, importance, salience, metadata_confidence, pinned,
       manually_saved, created_at, occurred_at, expires_at, summary_of,
       id, now(), heard
FROM memory_items WHERE user_id = $1 AND id = $2
RETURNING id

-- name: reword
-- New words lose their old vector in the same statement, so that it never answers for them, and what
-- the old ones were heard as.
UPDATE memory_items
SET content = $3, simhash = $4, tags = $5, heard = NULL,
    embedding = $6, embedding_model = $7, needs_embedding = $6::halfvec IS NULL
WHERE user_id = $1 AND id = $2
