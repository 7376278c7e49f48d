-- Who may see what. Applied anew whenever this file changes: every policy is made again, and a right
-- is given again harmlessly; one that is left out here is taken back by a numbered file.
--
--   keepsake_app     the rows of the user that app.user_id names, and nothing without it
--   keepsake_worker  what is to be embedded, whose rows are due, and the queue
--   keepsake_search, keepsake_eraser, keepsake_keys, keepsake_queue
--                    own what functions.sql has of them
--
-- None can log in, is a superuser, or bypasses row-level security.

DO $$
DECLARE wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['keepsake_app', 'keepsake_worker', 'keepsake_search',
                                  'keepsake_eraser', 'keepsake_keys', 'keepsake_queue'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', wanted);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;  -- roles belong to the cluster: another database of it may have made them
        END;
    END LOOP;
END $$;

-- The role that logs in acts as one of these.
GRANT keepsake_app, keepsake_worker, keepsake_search, keepsake_eraser, keepsake_keys, keepsake_queue
    TO CURRENT_USER;

-- Every table of users: their own rows, as the application, and as the one who erases a user whole.
DO $$
DECLARE
    owned regclass;
    policy name;
BEGIN
    FOREACH owned IN ARRAY ARRAY[
        'conversations', 'messages', 'memory_items', 'memory_usage', 'memory_settings', 'doubts',
        'tombstones', 'audit_log', 'episodes', 'api_keys', 'idempotency_keys']::regclass[] LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', owned);
        FOR policy IN SELECT polname FROM pg_policy WHERE polrelid = owned LOOP
            EXECUTE format('DROP POLICY %I ON %s', policy, owned);
        END LOOP;
        EXECUTE format(
            'CREATE POLICY own_rows ON %s TO keepsake_app
                 USING (user_id = current_setting(''app.user_id'', true))
                 WITH CHECK (user_id = current_setting(''app.user_id'', true))', owned);
        EXECUTE format(
            'CREATE POLICY rows_to_erase_whole ON %s TO keepsake_eraser
                 USING (user_id = current_setting(''app.user_id'', true))', owned);
        EXECUTE format('GRANT SELECT, DELETE ON %s TO keepsake_eraser', owned);
    END LOOP;
END $$;
GRANT SELECT, DELETE, UPDATE ON pgqueuer TO keepsake_eraser;

-- The application.
GRANT SELECT, INSERT, UPDATE, DELETE
    ON conversations, messages, memory_items, memory_usage, memory_settings, doubts, tombstones,
       episodes, idempotency_keys
    TO keepsake_app;
GRANT SELECT, INSERT ON audit_log TO keepsake_app;
-- Whose a key is, what it opens and until when can never be changed, only that it is revoked.
GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_on) ON api_keys TO keepsake_app;
GRANT SELECT, INSERT, DELETE ON ended_sessions TO keepsake_app;
GRANT SELECT, INSERT, UPDATE (value) ON metric_totals TO keepsake_app;
-- A program whose login may not migrate still looks at start whether something is missing.
GRANT SELECT ON embedding_profile, schema_migrations TO keepsake_app, keepsake_worker;

-- The worker: rows that wait for their vector.
GRANT SELECT, UPDATE (embedding, embedding_model, needs_embedding) ON messages, memory_items
    TO keepsake_worker;
CREATE POLICY rows_to_embed ON messages TO keepsake_worker USING (true) WITH CHECK (true);
CREATE POLICY rows_to_embed ON memory_items TO keepsake_worker USING (true) WITH CHECK (true);
-- Whose memories wait for their erasure; the erasing itself is done as the user.
GRANT SELECT (user_id, item_id, erase_after, erased_at) ON tombstones TO keepsake_worker;
CREATE POLICY rows_to_erase ON tombstones FOR SELECT TO keepsake_worker USING (true);
-- What has expired of idempotent requests, also of users who never come back, and nothing else of
-- them.
GRANT SELECT (user_id, key, begun_at), DELETE ON idempotency_keys TO keepsake_worker;
CREATE POLICY rows_to_sweep ON idempotency_keys TO keepsake_worker
    USING (begun_at < now() - interval '24 hours');
-- Of whom something is noted, also of those who have no memory left, and whose episodes there are to
-- look after; what is done with them is done as the user.
GRANT SELECT (user_id) ON audit_log, episodes TO keepsake_worker;
CREATE POLICY owners ON audit_log FOR SELECT TO keepsake_worker USING (true);
CREATE POLICY owners ON episodes FOR SELECT TO keepsake_worker USING (true);
GRANT SELECT, DELETE ON metric_totals TO keepsake_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON pgqueuer, pgqueuer_log, pgqueuer_schedules
    TO keepsake_worker;
GRANT SELECT ON pgqueuer_statistics TO keepsake_worker;
GRANT USAGE ON SEQUENCE pgqueuer_id_seq, pgqueuer_log_id_seq, pgqueuer_schedules_id_seq
    TO keepsake_worker;

-- The keyword search: of a message all but its words, which are there only as the index has them.
GRANT SELECT ON memory_items, memory_settings TO keepsake_search;
GRANT SELECT (user_id, id, conversation_id, correlation_id, role, status, search, search_length,
              recallable)
    ON messages TO keepsake_search;
GRANT SELECT (user_id, id, space) ON conversations TO keepsake_search;
CREATE POLICY rows_to_search ON memory_items FOR SELECT TO keepsake_search USING (true);
CREATE POLICY rows_to_search ON memory_settings FOR SELECT TO keepsake_search USING (true);
CREATE POLICY rows_to_search ON messages FOR SELECT TO keepsake_search USING (true);
CREATE POLICY rows_to_search ON conversations FOR SELECT TO keepsake_search USING (true);

-- Who finds a key.
GRANT SELECT (user_id, id, digest, expires_at, revoked_at, last_used_on) ON api_keys
    TO keepsake_keys;
CREATE POLICY rows_to_find ON api_keys FOR SELECT TO keepsake_keys USING (true);

-- The application has no right to the tables of the queue: it asks the functions of this role.
GRANT SELECT, INSERT, UPDATE ON pgqueuer TO keepsake_queue;
GRANT USAGE ON SEQUENCE pgqueuer_id_seq TO keepsake_queue;
