-- Recall of the past: versions that were replaced are searched where a question is about what was
-- true before, or about what was known at a moment; and memories are found by when they happened.

CREATE INDEX idx_memory_items_occurred_at ON memory_items (user_id, space, occurred_at)
    WHERE deleted_at IS NULL AND occurred_at IS NOT NULL;

-- The keyword search of 0004 with two further parameters: `with_replaced` also searches what was
-- replaced, `known_at` searches what was known then, whatever `with_replaced` says. The statistics
-- stay those of what holds now, so that a score means the same in every search.
DROP FUNCTION search_memory_items;
CREATE FUNCTION search_memory_items(
    query text, wanted_space text, wanted_types text[], wanted_banks text[], wanted_roles text[],
    at timestamptz, pool integer, with_replaced boolean DEFAULT false,
    known_at timestamptz DEFAULT NULL)
RETURNS TABLE (id uuid, bm25 double precision, coverage double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    owner_id varchar := session_user_id();
    words tsquery := any_word_query(query);
BEGIN
    IF words IS NULL OR EXISTS (
        SELECT FROM memory_settings
        WHERE user_id = owner_id AND space = wanted_space AND memory_mode = 'off') THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH corpus AS (
        SELECT count(*)::double precision AS n,
               coalesce(nullif(avg(search_length), 0), 1) AS mean_length
        FROM memory_items
        WHERE user_id = owner_id AND space = wanted_space
          AND deleted_at IS NULL AND superseded_by IS NULL
    ), asked AS (
        SELECT lexeme FROM question_words(query) AS lexeme
    ), matching AS MATERIALIZED (
        -- Of every type, and the expired too: a word is as rare as it is in the whole corpus.
        SELECT m.id, m.search, m.search_length, m.superseded_by IS NULL AS holds,
               (m.expires_at IS NULL OR m.expires_at > at)
               AND (wanted_types IS NULL OR m.type = ANY (wanted_types))
               AND (wanted_banks IS NULL OR m.bank = ANY (wanted_banks))
               AND (wanted_roles IS NULL OR m.role = ANY (wanted_roles))
               AND (known_at IS NULL OR (
                   m.created_at <= known_at AND (m.valid_to IS NULL OR m.valid_to > known_at)
                   -- An edit keeps the moment of the first wording, and that wording beside it:
                   -- the new one was not known before.
                   AND NOT EXISTS (
                       SELECT FROM memory_items AS wording
                       WHERE wording.user_id = owner_id AND wording.superseded_by = m.id
                         AND wording.created_at = m.created_at
                         AND wording.valid_to > known_at))) AS wanted
        FROM memory_items AS m
        WHERE m.user_id = owner_id AND m.search @@ words AND m.space = wanted_space
          AND m.deleted_at IS NULL
          AND (m.superseded_by IS NULL OR with_replaced OR known_at IS NOT NULL)
    ), hits AS (
        SELECT matching.id, matching.search_length, matching.wanted, matching.holds, word.lexeme,
               cardinality(word.positions)::double precision AS tf
        FROM matching, unnest(matching.search) AS word
        WHERE word.lexeme IN (SELECT lexeme FROM asked)
    ), weights AS (
        SELECT asked.lexeme,
               ln(1 + (corpus.n - count(hits.id) FILTER (WHERE hits.holds) + 0.5)
                      / (count(hits.id) FILTER (WHERE hits.holds) + 0.5)) AS idf
        FROM corpus CROSS JOIN asked LEFT JOIN hits USING (lexeme)
        GROUP BY asked.lexeme, corpus.n
    ), mass AS (
        SELECT sum(idf) AS total FROM weights
    )
    SELECT hits.id,
           sum(weights.idf * hits.tf * 2.2 / (hits.tf + 1.2 * (0.25
               + 0.75 * hits.search_length / corpus.mean_length))) / (2.2 * mass.total),
           sum(weights.idf) / mass.total
    FROM hits JOIN weights USING (lexeme) CROSS JOIN corpus CROSS JOIN mass
    WHERE hits.wanted
    GROUP BY hits.id, mass.total
    ORDER BY 2 DESC, hits.id
    LIMIT pool;
END $$;

GRANT CREATE ON SCHEMA public TO keepsake_search;
ALTER FUNCTION search_memory_items OWNER TO keepsake_search;
REVOKE CREATE ON SCHEMA public FROM keepsake_search;
REVOKE ALL ON FUNCTION search_memory_items FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_memory_items TO keepsake_app;
