-- The life of a memory after it was kept: rolled up and archived, cleaned away, retired by a rule of
-- retention, and in the end removed for good; and until when the audit log is kept.

ALTER TABLE memory_items DROP CONSTRAINT memory_items_removed_because_check;
ALTER TABLE memory_items ADD CONSTRAINT memory_items_removed_because_check CHECK (
    removed_because IN ('forgotten', 'trimmed', 'archived', 'cleaned', 'retired'));

-- What had taken a memory out of recall before it was forgotten: it comes back as that.
ALTER TABLE tombstones ADD COLUMN removed_because varchar(20);

-- Whether a memory is found by its words; see memory/upkeep/indexes.py. A constant default rewrites
-- no row.
ALTER TABLE memory_items ADD COLUMN in_keywords boolean NOT NULL DEFAULT true;

-- What is taken out of recall leaves the keyword index with the statement that takes it out.
DROP INDEX idx_memory_items_content_fts;
CREATE INDEX idx_memory_items_content_fts ON memory_items USING gin (user_id, search)
    WHERE deleted_at IS NULL AND in_keywords;

-- What waits to be removed for good, and the roll-ups.
CREATE INDEX idx_memory_items_removed ON memory_items (user_id, deleted_at)
    WHERE deleted_at IS NOT NULL;
CREATE INDEX idx_memory_items_roll_ups ON memory_items (user_id) WHERE summary_of <> '{}';

-- The keyword search of 0005 within what is to be found by its words. The corpus stays all that
-- holds, so that a score means the same whatever is left out. Owner and rights stay as they are.
CREATE OR REPLACE FUNCTION search_memory_items(
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
          AND m.deleted_at IS NULL AND m.in_keywords
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

-- What the audit log says is removed by nobody but here, when it is older than the settings want,
-- and never before thirty days. The user comes from app.user_id alone.
CREATE FUNCTION expire_audit(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    owner_id varchar := session_user_id();
    removed bigint;
BEGIN
    DELETE FROM audit_log
    WHERE user_id = owner_id AND created_at < least(before, now() - interval '30 days');
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END $$;

GRANT CREATE ON SCHEMA public TO keepsake_eraser;
ALTER FUNCTION expire_audit OWNER TO keepsake_eraser;
REVOKE CREATE ON SCHEMA public FROM keepsake_eraser;
REVOKE ALL ON FUNCTION expire_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expire_audit TO keepsake_app;

-- The worker has to know of whom something is noted, also of those who have no memory left.
GRANT SELECT (user_id) ON audit_log TO keepsake_worker;
CREATE POLICY owners ON audit_log FOR SELECT TO keepsake_worker USING (true);
