-- What reads the rows past the application's policies, and what guards them when they are written.
-- Applied anew whenever this file changes: every statement puts something in the place of what is
-- there. A function or a trigger that is left out here is dropped by a numbered file.

CREATE OR REPLACE FUNCTION session_user_id() RETURNS text
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
CREATE OR REPLACE FUNCTION question_words(query text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog
BEGIN ATOMIC
    SELECT lexeme FROM unnest(to_tsvector('english'::regconfig, query))
    ORDER BY positions[1], lexeme LIMIT 64;
END;

CREATE OR REPLACE FUNCTION any_word_query(query text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, public
RETURN (
    SELECT string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | ')
    FROM question_words(query) AS word
)::tsquery;

-- BM25 within one user, in one statement. It runs as keepsake_search, whose policy on memory_items is
-- constant, because @@ is not leakproof: under the application's policy the planner would read all of
-- a user's rows before it filters them. The user comes from app.user_id alone, never from an argument,
-- and nothing is found where memory is off.
--
-- Robertson & Zaragoza 2009, k1 = 1.2, b = 0.75, idf = ln(1 + (n - df + 0.5) / (df + 0.5)).
-- `bm25` is divided by the question's idf mass times (k1 + 1), so it lies in [0, 1);
-- `coverage` is the share of that mass whose words the memory holds.
--
-- `with_replaced` also searches what was replaced, `known_at` searches what was known then, whatever
-- `with_replaced` says. The corpus is all that holds now, found by its words or not, so that a score
-- means the same in every search.
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

-- BM25 and coverage as above, within a user's messages of one space. What failed or was withheld is
-- no part of it. `without_conversation` and `without_turn` are left out of what is found, not of the
-- corpus: a word is as rare as it is in everything that was said. The mean length is that of the
-- measured messages, or where there is none yet, of those that hold a word.
CREATE OR REPLACE FUNCTION search_messages(
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

-- The words as a search engine takes them; the last one may be unfinished, since the list is
-- searched while it is typed. Of fewer than three letters a beginning fits too much to be looked
-- up. What stands in quotes or behind a minus is taken as it is.
CREATE OR REPLACE FUNCTION typed_query(query text) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog
AS $$
DECLARE
    whole tsquery := websearch_to_tsquery('english', query);
    parts text[] := regexp_match(query, '^((?:.*\s)?)(\w{3,})$');
    before tsquery;
BEGIN
    IF parts IS NULL OR strpos(query, '"') > 0 THEN
        RETURN whole;
    END IF;
    before := websearch_to_tsquery('english', parts[1]);
    RETURN whole || CASE numnode(before)
        WHEN 0 THEN to_tsquery('simple', parts[2] || ':*')
        ELSE before && to_tsquery('simple', parts[2] || ':*') END;
END $$;

-- Which conversations hold what somebody looks for in the list of them.
CREATE OR REPLACE FUNCTION conversations_saying(query text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
    owner_id varchar := session_user_id();
    words tsquery := typed_query(query);
BEGIN
    IF numnode(words) = 0 THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT DISTINCT conversation_id FROM messages
    WHERE user_id = owner_id AND search @@ words AND status <> 'withheld';
END $$;

-- Who presents a key has no identity yet: the function sees the keys of all users, and says of one
-- that lives whose it is, to whoever knows its digest.
CREATE OR REPLACE FUNCTION find_api_key(wanted bytea)
RETURNS TABLE (holder varchar, id uuid, expires_at timestamptz, last_used_on date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT key.user_id, key.id, key.expires_at, key.last_used_on
    FROM api_keys AS key
    WHERE key.digest = wanted AND key.revoked_at IS NULL
      AND (key.expires_at IS NULL OR key.expires_at > now())
$$;

-- Erasing a user whole takes a right that the application otherwise does not have: to remove what the
-- audit log says. It says the number of rows that were removed, by table. Who is erased cannot sign in
-- any more, and leaves no job behind: one that a worker or another transaction holds at this moment is
-- not waited for, finds nothing to do and goes by itself.
CREATE OR REPLACE FUNCTION erase_user() RETURNS TABLE (name text, count bigint)
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
                                 'api_keys', 'idempotency_keys', 'audit_log'] LOOP
        EXECUTE format('DELETE FROM public.%I WHERE user_id = $1', owned) USING owner_id;
        GET DIAGNOSTICS removed = ROW_COUNT;
        name := owned;
        count := removed;
        RETURN NEXT;
    END LOOP;
    DELETE FROM pgqueuer WHERE id IN (
        SELECT id FROM pgqueuer WHERE payload = convert_to(owner_id, 'UTF8')
        FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS removed = ROW_COUNT;
    name := 'jobs';
    count := removed;
    RETURN NEXT;
END $$;

-- What the audit log says is removed by nobody but here, when it is older than the settings want,
-- and never before thirty days.
CREATE OR REPLACE FUNCTION expire_audit(before timestamptz) RETURNS bigint
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

-- A mode that forbids it keeps every new memory out, whoever forgot to look.
CREATE OR REPLACE FUNCTION refuse_unwanted_memory() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (SELECT FROM memory_settings
               WHERE user_id = NEW.user_id AND space = NEW.space AND memory_mode <> 'full') THEN
        RAISE EXCEPTION 'memory is not written to in this space' USING ERRCODE = 'KS001';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER refuse_unwanted_memory BEFORE INSERT ON memory_items
    FOR EACH ROW EXECUTE FUNCTION refuse_unwanted_memory();

-- New words are a new memory. What else is done with one (forgetting, pinning, erasing) is not
-- refused in any mode.
CREATE OR REPLACE TRIGGER refuse_unwanted_wording BEFORE UPDATE OF content ON memory_items
    FOR EACH ROW EXECUTE FUNCTION refuse_unwanted_memory();

-- Of an episode nothing is begun, gone on with or ended. What takes words out is not refused.
CREATE OR REPLACE TRIGGER episode_is_wanted BEFORE INSERT ON episodes
    FOR EACH ROW EXECUTE FUNCTION refuse_unwanted_memory();
CREATE OR REPLACE TRIGGER episode_is_still_wanted BEFORE UPDATE OF actions, outcome_score ON episodes
    FOR EACH ROW WHEN (jsonb_array_length(NEW.actions) > jsonb_array_length(OLD.actions)
                       OR NEW.outcome_score IS DISTINCT FROM OLD.outcome_score)
    EXECUTE FUNCTION refuse_unwanted_memory();

CREATE OR REPLACE FUNCTION measure_message() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    NEW.search_length := keyword_length(keyword_vector(NEW.content));
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER measure_message BEFORE INSERT OR UPDATE OF content ON messages
    FOR EACH ROW EXECUTE FUNCTION measure_message();

-- Words that changed, or that lost their vector, have none of the model that follows either. The
-- trigger that calls this is there as long as the column is, see migrations/vector_swap.sql.
CREATE OR REPLACE FUNCTION drop_next_vector() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    NEW.next_embedding := NULL;
    NEW.next_embedding_model := NULL;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION wait_anew() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    NEW.waiting_since := now();
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER items_wait_anew BEFORE UPDATE OF needs_embedding ON memory_items
    FOR EACH ROW WHEN (NEW.needs_embedding AND NOT OLD.needs_embedding)
    EXECUTE FUNCTION wait_anew();
CREATE OR REPLACE TRIGGER messages_wait_anew BEFORE UPDATE OF needs_embedding ON messages
    FOR EACH ROW WHEN (NEW.needs_embedding AND NOT OLD.needs_embedding)
    EXECUTE FUNCTION wait_anew();

-- Tells of every change of the queue, as pgqueuer declares it.
CREATE OR REPLACE FUNCTION fn_pgqueuer_changed() RETURNS TRIGGER AS $$
DECLARE
    to_emit BOOLEAN := false;  -- Flag to decide whether to emit a notification
BEGIN
    -- Check operation type and set the emit flag accordingly
    IF TG_OP = 'UPDATE' AND OLD IS DISTINCT FROM NEW THEN
        to_emit := true;
    ELSIF TG_OP = 'DELETE' THEN
        to_emit := true;
    ELSIF TG_OP = 'INSERT' THEN
        to_emit := true;
    ELSIF TG_OP = 'TRUNCATE' THEN
        to_emit := true;
    END IF;

    -- Perform notification if the emit flag is set
    IF to_emit THEN
        PERFORM pg_notify(
            'ch_pgqueuer',
            json_build_object(
                'channel', 'ch_pgqueuer',
                'operation', lower(TG_OP),
                'sent_at', NOW(),
                'table', TG_TABLE_NAME,
                'type', 'table_changed_event'
            )::text
        );
    END IF;

    -- Return appropriate value based on the operation
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        RETURN NEW;
    ELSIF TG_OP = 'DELETE' THEN
        RETURN OLD;
    ELSE
        RETURN NULL; -- For TRUNCATE and other non-row-specific contexts
    END IF;

END;
$$ LANGUAGE plpgsql;

CREATE OR REPLACE TRIGGER tg_pgqueuer_changed
AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON pgqueuer
EXECUTE FUNCTION fn_pgqueuer_changed();

-- Asks for a job of one user, or of everything where `whose` is empty, not before `after` has
-- passed; an erasure goes before all else, since it was promised for its time. Nothing is put where one
-- is queued that begins no later, or that is being tried again after it failed or was past its
-- deadline: it is held until this transaction ends, so that whoever takes it sees what this one wrote.
-- Where it is being taken at this moment another is put, and two requests at once put two. That costs
-- a look, and nothing here ever waits for another transaction. For everything, one that runs is enough.
CREATE OR REPLACE FUNCTION put_job(name text, whose bytea, after interval, urgent boolean)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE wanted timestamptz := now() + after;
BEGIN
    IF name !~ '^[a-z_]{1,60}$' OR after NOT BETWEEN interval '0' AND interval '400 days' THEN
        RAISE EXCEPTION 'no such job' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF whose = '' THEN
        PERFORM FROM pgqueuer AS job
        WHERE job.entrypoint = name AND job.payload = whose AND job.status = 'picked';
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    PERFORM FROM pgqueuer AS job
    WHERE job.entrypoint = name AND job.payload = whose AND job.status = 'queued'
      AND (job.execute_after <= wanted OR job.attempts > 0 OR job.takings > 0)
    LIMIT 1 FOR KEY SHARE SKIP LOCKED;
    IF NOT FOUND THEN
        INSERT INTO pgqueuer (priority, execute_after, status, entrypoint, payload)
        VALUES (CASE WHEN name = 'memory_erase' THEN 2 WHEN urgent THEN 1 ELSE 0 END,
                wanted, 'queued', name, whose);
    END IF;
END $$;

-- The same for the user of the transaction, who is never an argument.
CREATE OR REPLACE FUNCTION request_job(name text, after interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    PERFORM put_job(name, convert_to(session_user_id(), 'UTF8'), after, false);
END $$;

-- Rows that wait for their vector ask for it themselves, so that nobody can forget to. The program
-- that wrote them fills them within moments: the job comes half a minute after it, and finds what is
-- left. Who goes on talking asks for one job in that time, not for one with every turn.
CREATE OR REPLACE FUNCTION request_embedding() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    PERFORM put_job('memory_embed_backfill', convert_to(waiting.user_id, 'UTF8'),
                    interval '30 seconds', true)
    FROM (SELECT DISTINCT user_id FROM added WHERE needs_embedding) AS waiting;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION request_embedding_again() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    PERFORM put_job('memory_embed_backfill', convert_to(NEW.user_id, 'UTF8'),
                    interval '30 seconds', true);
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER added_items_wait AFTER INSERT ON memory_items
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION request_embedding();
CREATE OR REPLACE TRIGGER added_messages_wait AFTER INSERT ON messages
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION request_embedding();
CREATE OR REPLACE TRIGGER changed_items_wait AFTER UPDATE OF needs_embedding ON memory_items
    FOR EACH ROW WHEN (NEW.needs_embedding AND NOT OLD.needs_embedding)
    EXECUTE FUNCTION request_embedding_again();
CREATE OR REPLACE TRIGGER changed_messages_wait AFTER UPDATE OF needs_embedding ON messages
    FOR EACH ROW WHEN (NEW.needs_embedding AND NOT OLD.needs_embedding)
    EXECUTE FUNCTION request_embedding_again();

-- What was forgotten asks for its erasure at its time. What is due later than the job that stands
-- is found by the reconcile.
CREATE OR REPLACE FUNCTION request_erasure() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    PERFORM put_job('memory_erase', convert_to(buried.user_id, 'UTF8'),
                    least(greatest(buried.due - now(), interval '0'), interval '400 days'), true)
    FROM (SELECT user_id, min(erase_after) AS due FROM added
          WHERE erased_at IS NULL GROUP BY user_id) AS buried;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER buried_items_wait AFTER INSERT ON tombstones
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION request_erasure();

-- Whose they are, and who may call them. Whoever owns a function may make things in the schema for
-- as long as it takes to be given it.
GRANT CREATE ON SCHEMA public TO keepsake_search, keepsake_eraser, keepsake_keys, keepsake_queue;
ALTER FUNCTION search_memory_items OWNER TO keepsake_search;
ALTER FUNCTION search_messages OWNER TO keepsake_search;
ALTER FUNCTION conversations_saying OWNER TO keepsake_search;
ALTER FUNCTION find_api_key OWNER TO keepsake_keys;
ALTER FUNCTION erase_user OWNER TO keepsake_eraser;
ALTER FUNCTION expire_audit OWNER TO keepsake_eraser;
ALTER FUNCTION put_job OWNER TO keepsake_queue;
ALTER FUNCTION request_job OWNER TO keepsake_queue;
ALTER FUNCTION request_embedding OWNER TO keepsake_queue;
ALTER FUNCTION request_embedding_again OWNER TO keepsake_queue;
ALTER FUNCTION request_erasure OWNER TO keepsake_queue;
REVOKE CREATE ON SCHEMA public FROM keepsake_search, keepsake_eraser, keepsake_keys, keepsake_queue;

REVOKE ALL ON FUNCTION search_memory_items, search_messages, conversations_saying, find_api_key,
    erase_user, expire_audit, put_job, request_job, request_embedding, request_embedding_again,
    request_erasure FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_memory_items, search_messages, conversations_saying, find_api_key,
    erase_user, expire_audit, request_job TO keepsake_app;
GRANT EXECUTE ON FUNCTION put_job, request_job TO keepsake_worker;
GRANT EXECUTE ON FUNCTION session_user_id TO keepsake_eraser, keepsake_queue;
