-- name: read_details
-- One memory, whether it lives, was replaced or was trimmed, with its use.
SELECT {columns}, coalesce(usage.access_count, 0) AS access_count, usage.last_accessed_at,
       usage.last_scores::text AS last_scores
FROM memory_items AS item
LEFT JOIN memory_usage AS usage ON usage.user_id = item.user_id AND usage.item_id = item.id
WHERE item.user_id = $1 AND item.id = $2 AND item.removed_because IS DISTINCT FROM 'forgotten'

-- name: older
-- What it took the place of, at most fifty, the newest first.
SELECT {columns} FROM memory_items
WHERE user_id = $1 AND superseded_by = $2 AND removed_because IS DISTINCT FROM 'forgotten'
ORDER BY valid_to DESC NULLS LAST, created_at DESC, id LIMIT 50

-- name: source
-- The message it was learned from, while that is there.
SELECT id AS message_id, conversation_id, created_at AS said_at, content AS text
FROM messages WHERE user_id = $1 AND id = $2

-- name: keep_old_wording
-- The memory as it was, as a replaced one: out of recall, linked to what it became, undoable.
INSERT INTO memory_items (user_id, content, type, space, bank, role, tags, source_ids,
                          source_message_id, embedding, embedding_model, needs_embedding, simhash,
                          repeat_count, importance, salience, metadata_confidence, pinned,
                          manually_saved, created_at, occurred_at, expires_at, summary_of,
                          superseded_by, valid_to)
SELECT user_id, content, type, space, bank, role, tags, source_ids,
       source_message_id, embedding, embedding_model, needs_embedding, simhash,
       repeat_count, importance, salience, metadata_confidence, pinned,
       manually_saved, created_at, occurred_at, expires_at, summary_of,
       id, now()
FROM memory_items WHERE user_id = $1 AND id = $2
RETURNING id

-- name: reword
-- New words lose their old vector in the same statement, so that it never answers for them.
UPDATE memory_items
SET content = $3, simhash = $4, tags = $5,
    embedding = $6, embedding_model = $7, needs_embedding = $6::halfvec IS NULL
WHERE user_id = $1 AND id = $2

-- name: last_edit
-- The newest correction of words that can be taken back, with what the memory said before: of one
-- memory ($2), else of any of the space ($4) within $3, unless something was forgotten there since.
SELECT item.id AS item_id, before.id AS before_id, done.created_at AS edited_at
FROM audit_log AS done
JOIN memory_items AS item ON item.user_id = done.user_id AND item.id = done.item_id
JOIN memory_items AS before ON before.user_id = done.user_id AND before.superseded_by = item.id
     AND done.detail -> 'older' ? before.id::text
WHERE done.user_id = $1 AND done.action = 'edited'
  AND item.deleted_at IS NULL AND item.superseded_by IS NULL AND before.deleted_at IS NULL
  AND (done.item_id = $2
       OR ($2::uuid IS NULL AND item.space = $4 AND done.created_at > now() - $3::interval
           AND NOT EXISTS (SELECT FROM tombstones AS gone
                           WHERE gone.user_id = $1 AND gone.space = $4 AND gone.erased_at IS NULL
                             AND gone.created_at > done.created_at)))
ORDER BY done.id DESC LIMIT 1

-- name: take_back_wording
-- The memory as it was before a correction, whose row ($3) is not needed any more then.
UPDATE memory_items
SET (content, type, bank, tags, simhash, embedding, embedding_model, needs_embedding, importance,
     salience, pinned, manually_saved, occurred_at, expires_at)
    = (SELECT content, type, bank, tags, simhash, embedding, embedding_model, embedding IS NULL,
              importance, salience, pinned, manually_saved, occurred_at, expires_at
       FROM memory_items AS before WHERE before.user_id = $1 AND before.id = $3)
WHERE user_id = $1 AND id = $2
RETURNING {columns}

-- name: drop_wording
DELETE FROM memory_items WHERE user_id = $1 AND id = $2

-- name: drop_doubts
-- What was asked about a memory ($2) from a correction ($3) on, which its words of before do not ask.
DELETE FROM doubts
WHERE user_id = $1 AND newer_id = $2 AND answered_at IS NULL AND created_at >= $3

-- name: browse
-- The memories of a space that pass every filter, the newest first. What was forgotten is never
-- among them; $14 and $15 are the place that an earlier page ended at.
SELECT {columns}
FROM memory_items
WHERE user_id = $1 AND space = $2 AND removed_because IS DISTINCT FROM 'forgotten'
  AND ($3::text IS NULL OR type = $3)
  AND ($4::text IS NULL OR bank = $4)
  AND ($5::text IS NULL OR role = $5)
  AND ($6::text IS NULL OR $6 = ANY (tags))
  AND ($7::boolean IS NULL OR pinned = $7)
  AND ($8::boolean IS NULL OR manually_saved = $8)
  AND ($9::text IS NULL OR search @@ websearch_to_tsquery('english', $9)
       OR strpos(lower(content), lower($9)) > 0)
  AND ($10::timestamptz IS NULL OR created_at >= $10)
  AND ($11::timestamptz IS NULL OR created_at < $11)
  AND ($12 OR superseded_by IS NULL)
  AND ($13 OR (deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now())))
  AND ($14::timestamptz IS NULL OR (created_at, id) < ($14, $15::uuid))
ORDER BY created_at DESC, id DESC LIMIT $16

-- name: read
-- One memory, whether it lives, was replaced or was trimmed.
SELECT {columns}
FROM memory_items
WHERE user_id = $1 AND id = $2 AND removed_because IS DISTINCT FROM 'forgotten'

-- name: read_several
SELECT {columns}
FROM memory_items
WHERE user_id = $1 AND id = ANY ($2) AND removed_because IS DISTINCT FROM 'forgotten'

-- name: all
-- Every living memory; with $3 also what was replaced, was trimmed or has expired.
SELECT {columns}
FROM memory_items
WHERE user_id = $1 AND space = $2 AND removed_because IS DISTINCT FROM 'forgotten'
  AND ($3 OR (deleted_at IS NULL AND superseded_by IS NULL
              AND (expires_at IS NULL OR expires_at > now())))
ORDER BY created_at DESC, id DESC

-- name: summarise_banks
SELECT bank, count(*) AS count, count(*) FILTER (WHERE pinned) AS pinned
FROM memory_items
WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
  AND (expires_at IS NULL OR expires_at > now())
GROUP BY bank ORDER BY count(*) DESC, bank

-- name: spaces
SELECT space FROM memory_items
WHERE user_id = $1 AND removed_because IS DISTINCT FROM 'forgotten'
UNION
SELECT space FROM conversations WHERE user_id = $1
ORDER BY space

-- name: most_important
-- Of each bank the $3 living memories that matter most: pinned ones, then by importance.
SELECT {columns} FROM (
    SELECT *, row_number() OVER (
        PARTITION BY bank ORDER BY pinned DESC, importance DESC, created_at DESC, id) AS place
    FROM memory_items
    WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
      AND (expires_at IS NULL OR expires_at > now())
) AS placed
WHERE place <= $3 ORDER BY bank, place

-- name: lexemes
-- The words of each text as the keyword search knows them.
SELECT array(SELECT question_words(text)) AS words
FROM unnest($1::text[]) WITH ORDINALITY AS asked (text, place) ORDER BY place

-- name: find_near
-- The living memories that hold one of the words $3 or whose cosine to $4 is at least $5; with $6
-- also what was replaced, was trimmed or has expired.
SELECT {columns}, array(
           SELECT lexeme FROM unnest(search) WHERE lexeme = ANY ($3)) AS held,
       1 - (embedding <=> $4) AS cosine
FROM memory_items
WHERE user_id = $1 AND space = $2 AND removed_because IS DISTINCT FROM 'forgotten'
  AND ($6 OR (deleted_at IS NULL AND superseded_by IS NULL
              AND (expires_at IS NULL OR expires_at > now())))
  AND (tsvector_to_array(search) && $3::text[] OR 1 - (embedding <=> $4) >= $5)

-- name: nearest
-- Of the living memories those that hold the most of the words $3, and the nearest to $4, $5 of
-- each; the newest of equals.
SELECT {columns}, held, cosine
FROM (
    SELECT *, row_number() OVER (ORDER BY cardinality(held) DESC, cosine DESC NULLS LAST,
                                          created_at DESC) AS by_words,
           row_number() OVER (ORDER BY cosine DESC NULLS LAST, created_at DESC) AS by_cosine
    FROM (
        SELECT *, array(
                   SELECT lexeme FROM unnest(search) WHERE lexeme = ANY ($3)) AS held,
               1 - (embedding <=> $4) AS cosine
        FROM memory_items
        WHERE user_id = $1 AND space = $2 AND deleted_at IS NULL AND superseded_by IS NULL
          AND (expires_at IS NULL OR expires_at > now())
    ) AS living
) AS placed
WHERE by_cosine <= $5 OR (by_words <= $5 AND cardinality(held) > 0)

-- name: lock_user
-- One writer of a user's memories at a time; the same lock as items.sql takes.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: read_living
SELECT {columns}
FROM memory_items
WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL AND superseded_by IS NULL
FOR UPDATE

-- name: pin
-- What is pinned is found by its words, however old it is.
UPDATE memory_items SET pinned = $3, importance = $4, in_keywords = in_keywords OR $3
WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL AND superseded_by IS NULL
RETURNING {columns}

-- name: was_asked_for
-- Whether the user asked to keep it, by saving it or by pinning it, now or before, as far back as the
-- audit log is kept: who pins again what was unpinned years ago means it anew.
SELECT pinned OR manually_saved
       OR EXISTS (SELECT FROM audit_log AS done
                  WHERE done.user_id = $1 AND done.item_id = $2 AND done.action = 'pinned')
FROM memory_items WHERE user_id = $1 AND id = $2

-- name: revise
UPDATE memory_items
SET type = $3, bank = $4, tags = $5, importance = $6, occurred_at = $7
WHERE user_id = $1 AND id = $2
RETURNING {columns}

-- name: set_salience
UPDATE memory_items SET salience = $3 WHERE user_id = $1 AND id = $2
