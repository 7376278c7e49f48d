-- API keys: who may ask as which user. A key itself is stored nowhere, only its SHA-256 digest.

CREATE TABLE api_keys (
    user_id       varchar(255) NOT NULL CHECK (user_id <> ''),
    id            uuid NOT NULL DEFAULT gen_random_uuid(),
    digest        bytea NOT NULL CHECK (length(digest) = 32),
    name          varchar(100) NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz,
    revoked_at    timestamptz,
    last_used_on  date,
    PRIMARY KEY (user_id, id)
);
-- Not unique, so that the table can be distributed by user: two keys of 256 random bits are never
-- the same.
CREATE INDEX idx_api_keys_digest ON api_keys (digest);

-- Whose a key is, what it opens and until when can never be changed, only that it is revoked.
GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_on) ON api_keys TO keepsake_app;
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON api_keys TO keepsake_app
    USING (user_id = current_setting('app.user_id', true))
    WITH CHECK (user_id = current_setting('app.user_id', true));

-- Who presents a key has no identity yet: the function sees the keys of all users, and says of one
-- that lives whose it is, to whoever knows its digest.
DO $$
BEGIN
    CREATE ROLE keepsake_keys NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END $$;
GRANT keepsake_keys TO CURRENT_USER;
GRANT SELECT (user_id, id, digest, expires_at, revoked_at, last_used_on) ON api_keys
    TO keepsake_keys;
CREATE POLICY rows_to_find ON api_keys FOR SELECT TO keepsake_keys USING (true);

CREATE FUNCTION find_api_key(wanted bytea)
RETURNS TABLE (holder varchar, id uuid, expires_at timestamptz, last_used_on date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT key.user_id, key.id, key.expires_at, key.last_used_on
    FROM api_keys AS key
    WHERE key.digest = wanted AND key.revoked_at IS NULL
      AND (key.expires_at IS NULL OR key.expires_at > now())
$$;

GRANT CREATE ON SCHEMA public TO keepsake_keys;
ALTER FUNCTION find_api_key OWNER TO keepsake_keys;
REVOKE CREATE ON SCHEMA public FROM keepsake_keys;
REVOKE ALL ON FUNCTION find_api_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key TO keepsake_app;

GRANT SELECT, DELETE ON api_keys TO keepsake_eraser;
CREATE POLICY rows_to_erase_whole ON api_keys TO keepsake_eraser
    USING (user_id = current_setting('app.user_id', true));

-- The function of 0004 with the keys: who is erased whole cannot sign in any more either.
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
                                 'api_keys', 'audit_log'] LOOP
        EXECUTE format('DELETE FROM public.%I WHERE user_id = $1', owned) USING owner_id;
        GET DIAGNOSTICS removed = ROW_COUNT;
        name := owned;
        count := removed;
        RETURN NEXT;
    END LOOP;
END $$;
