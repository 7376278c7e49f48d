-- name: reach
-- The named memories ($2) with what goes where they go: what they replaced, and what they are the
-- rest of, step by step; where one is a roll-up, what was archived for it; what is out of recall in
-- the same space and says the same (the same but for case, spaces and ASCII punctuation, or a SimHash
-- at most three bits apart), with what that replaced; and the roll-ups that tell of any of them. What
-- such a roll-up tells besides is not followed; `beside` is one that does. `copy` is what nothing but
-- its words leads to.
WITH RECURSIVE versions AS (
    SELECT id FROM memory_items WHERE user_id = $1 AND id = ANY ($2)
    UNION
    SELECT beneath.id FROM versions CROSS JOIN LATERAL (
        SELECT older.id FROM memory_items AS older
        WHERE older.user_id = $1 AND older.superseded_by = versions.id
        UNION ALL
        SELECT whole.id FROM memory_items AS whole
        WHERE whole.user_id = $1 AND whole.superseded_by IS NOT NULL
          AND whole.id = (SELECT rest_of FROM memory_items AS rest
                          WHERE rest.user_id = $1 AND rest.id = versions.id)
        UNION ALL
        SELECT source.id FROM memory_items AS source
        WHERE source.user_id = $1 AND source.removed_because IN ('archived', 'forgotten')
          AND source.id = ANY (ARRAY(SELECT unnest(summary_of) FROM memory_items AS roll_up
                                     WHERE roll_up.user_id = $1 AND roll_up.id = versions.id))
    ) AS beneath
), compared AS MATERIALIZED (
    SELECT id, space, simhash, deleted_at IS NOT NULL OR superseded_by IS NOT NULL AS out_of_recall,
           btrim(regexp_replace(lower(content), '[\s!-/:-@[-`{-~]+', ' ', 'g')) AS bare
    FROM memory_items
    WHERE user_id = $1 AND (deleted_at IS NOT NULL OR superseded_by IS NOT NULL
                            OR id IN (SELECT id FROM versions))
), said AS MATERIALIZED (
    SELECT DISTINCT space, simhash, bare FROM compared JOIN versions USING (id)
), alike AS (
    SELECT other.id FROM compared AS other
    WHERE other.out_of_recall AND EXISTS (
        SELECT FROM said
        WHERE said.space = other.space
          AND (said.bare = other.bare
               OR bit_count((said.simhash # other.simhash)::bit(64)) <= 3))
), all_versions AS (
    (SELECT id FROM versions UNION SELECT id FROM alike)
    UNION
    SELECT older.id FROM memory_items AS older
    JOIN all_versions ON older.superseded_by = all_versions.id
    WHERE older.user_id = $1
), reached AS (
    SELECT id FROM all_versions
    UNION
    SELECT roll_up.id FROM memory_items AS roll_up
    JOIN reached ON reached.id = ANY (roll_up.summary_of)
    WHERE roll_up.user_id = $1
)
SELECT {columns}, embedding, removed_because IS NOT DISTINCT FROM 'forgotten' AS forgotten,
       removed_because, id IN (SELECT id FROM alike) AND id NOT IN (SELECT id FROM versions) AS copy,
       EXISTS (SELECT FROM memory_items AS told
               WHERE told.user_id = $1 AND told.id = ANY (item.summary_of)
                 AND told.removed_because IS DISTINCT FROM 'forgotten'
                 AND told.id NOT IN (SELECT id FROM reached)) AS beside
FROM memory_items AS item JOIN reached USING (id)
WHERE user_id = $1
ORDER BY array_position($2, id) NULLS LAST, created_at DESC, id

-- name: separable
-- The living memories of $2 of which a part may stay: no roll-up, none that replaced another (whose
-- words go too), and none of a space in which nothing may be kept.
SELECT id FROM memory_items AS item
WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND superseded_by IS NULL
  AND cardinality(summary_of) = 0
  AND NOT EXISTS (SELECT FROM memory_items AS older
                  WHERE older.user_id = $1 AND older.superseded_by = item.id)
  AND NOT EXISTS (SELECT FROM memory_settings AS chosen
                  WHERE chosen.user_id = $1 AND chosen.space = item.space
                    AND chosen.memory_mode <> 'full')

-- name: reword
-- The vector of the old words goes with them, and nothing is learned from what is left. What is
-- nothing but the mark needs no vector.
UPDATE messages
SET content = $3, embedding = NULL, embedding_model = NULL,
    needs_embedding = $3 NOT IN ('', '[forgotten]'), needs_learning = false
WHERE user_id = $1 AND id = $2

-- name: take_away
DELETE FROM messages WHERE user_id = $1 AND id = ANY ($2)

-- name: retitle
UPDATE conversations SET title = $3 WHERE user_id = $1 AND id = $2

-- name: count_on_tombstones
-- What went with these memories before their erasure.
UPDATE tombstones SET removed = removed || $3::jsonb
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL

-- name: blank_turn
-- What named a memory in order to forget it goes with it, and the title that it gave.
WITH said AS (
    SELECT conversation_id, left(regexp_replace(btrim(content), '\s+', ' ', 'g'), 80) AS title
    FROM messages WHERE user_id = $1 AND correlation_id = $2 AND role = 'user'
), blanked AS (
    UPDATE messages SET content = '[forgotten]', embedding = NULL, needs_embedding = false
    WHERE user_id = $1 AND correlation_id = $2
)
UPDATE conversations SET title = '[forgotten]'
FROM said
WHERE user_id = $1 AND id = said.conversation_id AND conversations.title = said.title

-- name: last_forgotten
-- What the newest forgetting took that can still be undone, of a space ($3) where one is named. What
-- has less than its time ($2) was forgotten for good, and waits for the caches alone.
SELECT item_id FROM tombstones
WHERE user_id = $1 AND erased_at IS NULL AND erase_after >= created_at + $2 AND created_at = (
    SELECT max(created_at) FROM tombstones
    WHERE user_id = $1 AND erased_at IS NULL AND erase_after >= created_at + $2
      AND ($3::text IS NULL OR space = $3))

-- name: tells_of_the_forgotten
-- Of what is to come back ($2) the roll-ups made of something that is forgotten and is not among it,
-- and the roll-ups of those.
WITH RECURSIVE telling AS (
    SELECT roll_up.id FROM memory_items AS roll_up
    JOIN memory_items AS told ON told.user_id = $1 AND told.id = ANY (roll_up.summary_of)
    WHERE roll_up.user_id = $1 AND roll_up.id = ANY ($2)
      AND told.removed_because = 'forgotten' AND told.id <> ALL ($2)
    UNION
    SELECT above.id FROM memory_items AS above
    JOIN telling ON telling.id = ANY (above.summary_of)
    WHERE above.user_id = $1 AND above.id = ANY ($2)
)
SELECT id FROM telling

-- name: unbury
-- Those of $2 that wait and were not forgotten for good (see last_forgotten); a copy ($3) only where
-- one of the others was forgotten together with it.
DELETE FROM tombstones
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL AND erase_after >= created_at + $4
  AND (item_id <> ALL ($3) OR created_at IN (
      SELECT created_at FROM tombstones
      WHERE user_id = $1 AND item_id = ANY ($2) AND item_id <> ALL ($3)))
RETURNING item_id, CASE WHEN was_trimmed THEN coalesce(removed_because, 'trimmed') END AS why

-- name: bring_back
-- What was out of recall before it was forgotten, because of $3, is so again.
UPDATE memory_items AS item
SET deleted_at = CASE WHEN back.why IS NOT NULL THEN item.deleted_at END,
    removed_because = back.why,
    needs_embedding = item.embedding IS NULL AND back.why IS NULL
FROM unnest($2::uuid[], $3::text[]) AS back (id, why)
WHERE item.user_id = $1 AND item.id = back.id

-- name: reopen_doubts
-- A doubt that was closed without an answer stands again where both its memories do.
UPDATE doubts SET answered_at = NULL
WHERE user_id = $1 AND answer IS NULL AND (older_id = ANY ($2) OR newer_id = ANY ($2))
  AND NOT EXISTS (
      SELECT FROM memory_items
      WHERE user_id = $1 AND id IN (older_id, newer_id) AND deleted_at IS NOT NULL)

-- name: lock_user
-- One writer of a user's memories at a time; the same lock as items.sql takes.
SELECT pg_advisory_xact_lock(hashtextextended('remember:' || $1, 0))

-- name: take_out
-- Out of every recall and listing at once; the row stays for an undo. Since when it is out stays
-- with what was out before.
UPDATE memory_items SET deleted_at = coalesce(deleted_at, $3), removed_because = 'forgotten'
WHERE user_id = $1 AND id = ANY ($2)

-- name: close_doubts
UPDATE doubts SET answered_at = $3
WHERE user_id = $1 AND answered_at IS NULL AND (older_id = ANY ($2) OR newer_id = ANY ($2))

-- name: bury
INSERT INTO tombstones (user_id, item_id, space, digest, simhash, sketch, was_trimmed,
                        removed_because, history, created_at, expires_at, erase_after)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- name: hasten
-- What was forgotten before and is now to go at once: it gets less than its day, also where that is
-- over. Of roll-ups that only go along ($5) the conversations stay out of it.
UPDATE tombstones
SET erase_after = least($3, created_at + interval '23 hours'), history = CASE WHEN item_id = ANY ($5) THEN history ELSE $4 END
WHERE user_id = $1 AND item_id = ANY ($2) AND erased_at IS NULL

-- name: users_with_due_erasures
SELECT DISTINCT user_id FROM tombstones WHERE erased_at IS NULL AND erase_after <= $1
ORDER BY user_id

-- name: standing
-- The tombstones of some spaces that still keep something out.
SELECT space, item_id, digest, simhash, sketch, created_at, expires_at,
       erased_at IS NULL AND EXISTS (
           SELECT FROM memory_items AS item
           WHERE item.user_id = $1 AND item.id = tombstones.item_id) AS can_return
FROM tombstones WHERE user_id = $1 AND space = ANY ($2) AND expires_at > now()

-- name: lift
-- The user wants it back: nothing is kept out any more, the record of the forgetting stays, and an
-- erasure that is still to come leaves the conversations as they are.
UPDATE tombstones
SET expires_at = now(), history = CASE WHEN erased_at IS NULL THEN 'keep' ELSE history END
WHERE user_id = $1 AND item_id = ANY ($2)
