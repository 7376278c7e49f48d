-- What the write path and the user's controls need: messages that wait to be learned from, what a
-- memory is about (its slot), why it was removed, doubts between two memories, tombstones that say
-- what was erased, memory modes that the database enforces, and a way to erase one user whole.

ALTER TABLE conversations ADD COLUMN space varchar(255) NOT NULL DEFAULT 'default';

ALTER TABLE messages ADD COLUMN needs_learning boolean NOT NULL DEFAULT false;
CREATE INDEX idx_messages_needs_learning ON messages (user_id, position) WHERE needs_learning;

ALTER TABLE memory_items
    ADD COLUMN slot varchar(100),
    ADD COLUMN removed_because varchar(20) CHECK (removed_because IN ('forgotten', 'trimmed'));
CREATE INDEX idx_memory_items_slot ON memory_items (user_id, space, slot)
    WHERE deleted_at IS NULL AND slot IS NOT NULL;

-- The planner's statistics hold sample values, and would keep words that were erased until the next
-- ANALYZE. No query's plan depends on the distribution of these columns.
ALTER TABLE memory_items
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN slot SET STATISTICS 0,
    ALTER COLUMN embedding SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE messages
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN embedding SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE conversations ALTER COLUMN title SET STATISTICS 0;

-- Two memories that may not both be true, until the user says.
CREATE TABLE doubts (
    user_id      varchar(255) NOT NULL CHECK (user_id <> ''),
    id           uuid NOT NULL DEFAULT gen_random_uuid(),
    older_id     uuid NOT NULL,
    newer_id     uuid NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    answer       varchar(20) CHECK (answer IN ('replaced', 'both')),
    answered_at  timestamptz,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, older_id, newer_id),
    FOREIGN KEY (user_id, older_id) REFERENCES memory_items (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, newer_id) REFERENCES memory_items (user_id, id) ON DELETE CASCADE
);

-- One for each forgotten memory: digests instead of its words. It keeps the memory from coming
-- back until expires_at, and proves afterwards what was removed.
ALTER TABLE tombstones
    DROP CONSTRAINT tombstones_pkey,
    ADD COLUMN item_id      uuid NOT NULL,
    ADD COLUMN simhash      bigint NOT NULL,
    ADD COLUMN sketch       bytea,
    ADD COLUMN was_trimmed  boolean NOT NULL DEFAULT false,
    ADD COLUMN erase_after  timestamptz NOT NULL,
    ADD COLUMN erased_at    timestamptz,
    ADD COLUMN history      varchar(10) NOT NULL DEFAULT 'redact'
                            CHECK (history IN ('keep', 'redact', 'delete')),
    ADD COLUMN removed      jsonb NOT NULL DEFAULT '{}',
    ADD PRIMARY KEY (user_id, item_id);
CREATE INDEX idx_tombstones_space ON tombstones (user_id, space, expires_at);
CREATE INDEX idx_tombstones_erase_after ON tombstones (user_id, erase_after)
    WHERE erased_at IS NULL;

ALTER TABLE audit_log ADD COLUMN actor varchar(20) NOT NULL DEFAULT 'user'
    CHECK (actor IN ('user', 'assistant', 'learning', 'upkeep', 'import'));

ALTER TABLE memory_settings ADD COLUMN redact_messages boolean NOT NULL DEFAULT true;

GRANT SELECT, INSERT, UPDATE, DELETE ON doubts TO keepsake_app;
ALTER TABLE doubts ENABLE ROW LEVEL SECURITY;
ALTER TABLE doubts FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON doubts TO keepsake_app
    USING (user_id = current_setting('app.user_id', true))
    WITH CHECK (user_id = current_setting('app.user_id', true));

-- Whose memories wait for their erasure; the erasing itself is done as the user.
GRANT SELECT (user_id, item_id, erase_after, erased_at) ON tombstones TO keepsake_worker;
CREATE POLICY rows_to_erase ON tombstones FOR SELECT TO keepsake_worker USING (true);

-- A mode that forbids it keeps every new memory out, whoever forgot to look.
CREATE FUNCTION refuse_unwanted_memory() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (SELECT FROM memory_settings
               WHERE user_id = NEW.user_id AND space = NEW.space AND memory_mode <> 'full') THEN
        RAISE EXCEPTION 'memory is not written to in this space' USING ERRCODE = 'KS001';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER refuse_unwanted_memory BEFORE INSERT ON memory_items
    FOR EACH ROW EXECUTE FUNCTION refuse_unwanted_memory();
-- New words are a new memory. What else is done with one (forgetting, pinning, erasing) is not
-- refused in any mode.
CREATE TRIGGER refuse_unwanted_wording BEFORE UPDATE OF content ON memory_items
    FOR EACH ROW EXECUTE FUNCTION refuse_unwanted_memory();

-- The keyword search of 0003 with the filters for bank and role, and silent where memory is off.
GRANT SELECT ON memory_settings TO keepsake_search;
CREATE POLICY rows_to_search ON memory_settings FOR SELECT TO keepsake_search USING (true);

DROP FUNCTION search_memory_items;
CREATE FUNCTION search_memory_items(
    query text, wanted_space text, wanted_types text[], wanted_banks text[], wanted_roles text[],
    at timestamptz, pool integer)
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
               AND (wanted_types IS NULL OR m.type = ANY (wanted_types))
               AND (wanted_banks IS NULL OR m.bank = ANY (wanted_banks))
               AND (wanted_roles IS NULL OR m.role = ANY (wanted_roles)) AS wanted
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

-- Erasing a user whole takes a right that the application otherwise does not have: to remove
-- what the audit log says. The user comes from app.user_id alone.
DO $$
BEGIN
    CREATE ROLE keepsake_eraser NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END $$;
GRANT keepsake_eraser TO CURRENT_USER;
GRANT SELECT, DELETE
    ON conversations, messages, memory_items, memory_usage, memory_settings, tombstones, doubts,
       audit_log, episodes
    TO keepsake_eraser;
DO $$
DECLARE owned text;
BEGIN
    FOREACH owned IN ARRAY ARRAY['conversations', 'messages', 'memory_items', 'memory_usage',
                                 'memory_settings', 'tombstones', 'doubts', 'audit_log',
                                 'episodes'] LOOP
        EXECUTE format(
            'CREATE POLICY rows_to_erase_whole ON %I TO keepsake_eraser
                 USING (user_id = current_setting(''app.user_id'', true))', owned);
    END LOOP;
END $$;

-- The number of rows that were removed, by table.
CREATE FUNCTION erase_user() RETURNS TABLE (name text, count bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    owner_id varchar := session_user_id();
    owned text;
    removed bigint;
BEGIN
    FOREACH owned IN ARRAY ARRAY['doubts', 'memory_usage', 'memory_items', 'messages',
                                 'conversations', 'tombstones', 'memory_settings', 'episodes',
                                 'audit_log'] LOOP
        EXECUTE format('DELETE FROM public.%I WHERE user_id = $1', owned) USING owner_id;
        GET DIAGNOSTICS removed = ROW_COUNT;
        name := owned;
        count := removed;
        RETURN NEXT;
    END LOOP;
END $$;

GRANT CREATE ON SCHEMA public TO keepsake_search, keepsake_eraser;
ALTER FUNCTION search_memory_items OWNER TO keepsake_search;
ALTER FUNCTION erase_user OWNER TO keepsake_eraser;
REVOKE CREATE ON SCHEMA public FROM keepsake_search, keepsake_eraser;
REVOKE ALL ON FUNCTION search_memory_items, erase_user FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_memory_items, erase_user TO keepsake_app;
GRANT EXECUTE ON FUNCTION session_user_id TO keepsake_eraser;
