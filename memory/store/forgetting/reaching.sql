-- name: reach
-- The named memories ($2) with what goes where they go: what they replaced, and what they are the rest
-- of, step by step; where one is a roll-up, what was archived for it; what is out of recall in the same
-- space and says the same (the same but for case, spaces and ASCII punctuation, or a SimHash at most three bits apart), with
-- what that replaced; and the roll-ups that tell of any of them. What such a roll-up tells besides is
-- not followed; `beside` is one that does. `copy` is what nothing but its words leads to.
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
