-- BM25 within one user, in one statement. It runs as keepsake_search, whose policy on
-- memory_items is constant, because @@ is not leakproof: under the application's policy the
-- planner would read all of a user's rows before it filters them. The user comes from
-- app.user_id alone, never from an argument.

CREATE FUNCTION session_user_id() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog
AS $$
DECLARE identity text := current_setting('app.user_id', true);
BEGIN
    IF identity IS NULL OR identity = '' THEN
        RAISE EXCEPTION 'app.user_id is not set' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN identity;
END $$;

-- The distinct lexemes of a question in the order asked, at most 64.
CREATE FUNCTION question_words(query text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog
BEGIN ATOMIC
    SELECT lexeme FROM unnest(to_tsvector('english'::regconfig, query))
    ORDER BY positions[1], lexeme LIMIT 64;
END;

CREATE FUNCTION any_word_query(query text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, public
RETURN (
    SELECT string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | ')
    FROM question_words(query) AS word
)::tsquery;

-- Robertson & Zaragoza 2009, k1 = 1.2, b = 0.75, idf = ln(1 + (n - df + 0.5) / (df + 0.5)).
-- `bm25` is divided by the question's idf mass times (k1 + 1), so it lies in [0, 1);
-- `coverage` is the share of that mass whose words the memory holds.
CREATE FUNCTION search_memory_items(
    query text, wanted_space text, wanted_types text[], at timestamptz, pool integer)
RETURNS TABLE (id uuid, bm25 double precision, coverage double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    owner_id varchar := session_user_id();
    words tsquery := any_word_query(query);
BEGIN
    IF words IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH corpus AS (
        SELECT count(*)::double precision AS n, avg(search_length) AS mean_length
        FROM memory_items
        WHERE user_id = owner_id AND space = wanted_space
          AND deleted_at IS NULL AND superseded_by IS NULL
    ), asked AS (
        SELECT lexeme FROM question_words(query) AS lexeme
    ), matching AS MATERIALIZED (
        -- Of every type, and the expired too: a word is as rare as it is in the whole corpus.
        SELECT m.id, m.search, m.search_length,
               (m.expires_at IS NULL OR m.expires_at > at)
               AND (wanted_types IS NULL OR m.type = ANY (wanted_types)) AS wanted
        FROM memory_items AS m
        WHERE m.user_id = owner_id AND m.search @@ words AND m.space = wanted_space
          AND m.deleted_at IS NULL AND m.superseded_by IS NULL
    ), hits AS (
        SELECT matching.id, matching.search_length, matching.wanted, word.lexeme,
               cardinality(word.positions)::double precision AS tf
        FROM matching, unnest(matching.search) AS word
        WHERE word.lexeme IN (SELECT lexeme FROM asked)
    ), weights AS (
        SELECT asked.lexeme,
               ln(1 + (corpus.n - count(hits.id) + 0.5) / (count(hits.id) + 0.5)) AS idf
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
