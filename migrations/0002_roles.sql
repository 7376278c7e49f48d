-- Who may see what. keepsake_app sees the rows of the user that app.user_id names, and nothing
-- without it; keepsake_worker sees what is to be embedded; keepsake_search owns the keyword
-- search. None can log in, is a superuser, or bypasses row-level security.

DO $$
DECLARE wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['keepsake_app', 'keepsake_worker', 'keepsake_search'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', wanted);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;  -- roles belong to the cluster: another database of it may have made them
        END;
    END LOOP;
END $$;

-- The role that logs in acts as one of these; grants are repeated harmlessly.
GRANT keepsake_app, keepsake_worker, keepsake_search TO CURRENT_USER;

GRANT SELECT, INSERT, UPDATE, DELETE
    ON conversations, messages, memory_items, memory_usage, memory_settings, tombstones, episodes
    TO keepsake_app;
GRANT SELECT, INSERT ON audit_log TO keepsake_app;
-- A program whose login may not migrate still looks at start whether something is missing.
GRANT SELECT ON embedding_profile, schema_migrations TO keepsake_app, keepsake_worker;

GRANT SELECT ON messages, memory_items TO keepsake_worker;
GRANT UPDATE (embedding, embedding_model, needs_embedding) ON messages, memory_items
    TO keepsake_worker;

DO $$
DECLARE owned text;
BEGIN
    FOREACH owned IN ARRAY ARRAY['conversations', 'messages', 'memory_items', 'memory_usage',
                                 'memory_settings', 'tombstones', 'audit_log', 'episodes'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY own_rows ON %I TO keepsake_app
                 USING (user_id = current_setting(''app.user_id'', true))
                 WITH CHECK (user_id = current_setting(''app.user_id'', true))', owned);
    END LOOP;
END $$;

CREATE POLICY rows_to_embed ON messages TO keepsake_worker USING (true) WITH CHECK (true);
CREATE POLICY rows_to_embed ON memory_items TO keepsake_worker USING (true) WITH CHECK (true);

GRANT SELECT ON memory_items TO keepsake_search;
CREATE POLICY rows_to_search ON memory_items FOR SELECT TO keepsake_search USING (true);
