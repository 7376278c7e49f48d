-- Recall over past messages: how long a message is, as BM25 counts it, and the keyword search
-- itself.

-- A generated column would write the whole table and its indexes anew under a lock that keeps
-- everybody out. This one is there at once: a trigger fills it for every message that comes or
-- changes; of one that was there before, the length is counted when its words are found.
ALTER TABLE messages ADD COLUMN search_length integer;

-- What was said where memory is not to keep anything, what was a command or only a question, and a
-- reply that hands back messages is no part of what is searched. A constant default rewrites no row.
ALTER TABLE messages ADD COLUMN recallable boolean NOT NULL DEFAULT true;

CREATE FUNCTION measure_message() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    NEW.search_length := keyword_length(keyword_vector(NEW.content));
    RETURN NEW;
END $$;
CREATE TRIGGER measure_message BEFORE INSERT OR UPDATE OF content ON messages
    FOR EACH ROW EXECUTE FUNCTION measure_message();

-- The lengths of a user's messages without their rows.
CREATE INDEX idx_messages_recallable ON messages (user_id, conversation_id, search_length)
    WHERE recallable AND status IN ('complete', 'interrupted');

-- All that the search may see of a message; its words are there only as the index has them.
GRANT SELECT (user_id, id, conversation_id, correlation_id, role, status, search, search_length, recallable)
    ON messages TO keepsake_search;
GRANT SELECT (user_id, id, space) ON conversations TO keepsake_search;
CREATE POLICY rows_to_search ON messages FOR SELECT TO keepsake_search USING (true);
CREATE POLICY rows_to_search ON conversations FOR SELECT TO keepsake_search USING (true);

-- BM25 and coverage as in 0003, within a user's messages of one space. What failed or was withheld
-- is no part of it. `without_conversation` and `without_turn` are left out of what is found, not of
-- the corpus: a word is as rare as it is in everything that was said. The mean length is that of the
-- measured messages, or where there is none yet, of those that hold a word. The user comes from
-- app.user_id alone, and nothing is found where memory is off.
CREATE FUNCTION search_messages(
    query text, wanted_space text, wanted_roles text[], without_conversation uuid,
    without_turn uuid, pool integer)
RETURNS TABLE (id uuid, bm25 double precision, coverage double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    owner_id varchar := session_user_id();
    words tsquery := any_word_query(query);
    wanted_words text[] := ARRAY(SELECT question_words(query));
BEGIN
    IF words IS NULL OR EXISTS (
        SELECT FROM memory_settings
        WHERE user_id = owner_id AND space = wanted_space AND memory_mode = 'off') THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH chats AS MATERIALIZED (
        SELECT c.id AS chat_id FROM conversations AS c
        WHERE c.user_id = owner_id AND c.space = wanted_space
    ), corpus AS (
        SELECT count(*)::double precision AS n, avg(m.search_length) AS mean_length
        FROM messages AS m JOIN chats ON chats.chat_id = m.conversation_id
        WHERE m.user_id = owner_id AND m.recallable AND m.status IN ('complete', 'interrupted')
    ), asked AS (
        SELECT lexeme FROM unnest(wanted_words) AS lexeme
    ), matching AS MATERIALIZED (
        -- Of the words only those that are asked: a message has many, and each would be a row.
        SELECT m.id, ts_filter(setweight(m.search, 'A', wanted_words), '{a}') AS held,
               coalesce(m.search_length, keyword_length(m.search)) AS search_length,
               m.role = ANY (wanted_roles)
               AND m.conversation_id IS DISTINCT FROM without_conversation
               AND m.correlation_id IS DISTINCT FROM without_turn AS wanted
        FROM messages AS m JOIN chats ON chats.chat_id = m.conversation_id
        WHERE m.user_id = owner_id AND m.search @@ words
          AND m.recallable AND m.status IN ('complete', 'interrupted')
    ), typical AS (
        SELECT coalesce(nullif(corpus.mean_length, 0),
                        (SELECT nullif(avg(search_length), 0) FROM matching), 1) AS length
        FROM corpus
    ), hits AS (
        SELECT matching.id, matching.search_length, matching.wanted, word.lexeme,
               cardinality(word.positions)::double precision AS tf
        FROM matching, unnest(matching.held) AS word
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
               + 0.75 * hits.search_length / typical.length))) / (2.2 * mass.total),
           sum(weights.idf) / mass.total
    FROM hits JOIN weights USING (lexeme) CROSS JOIN typical CROSS JOIN mass
    WHERE hits.wanted
    GROUP BY hits.id, mass.total
    ORDER BY 2 DESC, hits.id
    LIMIT pool;
END $$;

GRANT CREATE ON SCHEMA public TO keepsake_search;
ALTER FUNCTION search_messages OWNER TO keepsake_search;
REVOKE CREATE ON SCHEMA public FROM keepsake_search;
REVOKE ALL ON FUNCTION search_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_messages TO keepsake_app;
