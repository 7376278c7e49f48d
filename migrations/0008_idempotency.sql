-- Requests that were sent with an Idempotency-Key, so that the same one twice is done once. A row
-- holds digests, a status, ids and counts; never words of a memory, which must stay forgettable.

CREATE TABLE idempotency_keys (
    user_id   varchar(255) NOT NULL CHECK (user_id <> ''),
    key       bytea NOT NULL,        -- keyed digest of the route and the key
    request   bytea NOT NULL,        -- keyed digest of what was asked with it
    attempt   uuid NOT NULL,         -- which of several runs may say what came of it
    begun_at  timestamptz NOT NULL,
    status    smallint,              -- of the answer; NULL while the request is under way
    outcome   varchar(30) CHECK (outcome ~ '^[a-z_]+$'),
    ids       jsonb NOT NULL DEFAULT '{}',
    counts    jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idx_idempotency_keys_begun_at ON idempotency_keys (user_id, begun_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO keepsake_app;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON idempotency_keys TO keepsake_app
    USING (user_id = current_setting('app.user_id', true))
    WITH CHECK (user_id = current_setting('app.user_id', true));

GRANT SELECT, DELETE ON idempotency_keys TO keepsake_eraser;
CREATE POLICY rows_to_erase_whole ON idempotency_keys TO keepsake_eraser
    USING (user_id = current_setting('app.user_id', true));

-- The function of 0007 with the table above. The number of rows removed, by table.
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
END $$;
