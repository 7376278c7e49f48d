-- Which conversations hold what somebody looks for in the list of them.

-- The words as a search engine takes them; the last one may be unfinished, since the list is
-- searched while it is typed. Of fewer than three letters a beginning fits too much to be looked
-- up. What stands in quotes or behind a minus is taken as it is.
CREATE FUNCTION typed_query(query text) RETURNS tsquery
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

-- Runs as keepsake_search, as the searches in 0003 and 0006 do and for their reason. The user comes
-- from app.user_id alone.
CREATE FUNCTION conversations_saying(query text) RETURNS SETOF uuid
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

GRANT CREATE ON SCHEMA public TO keepsake_search;
ALTER FUNCTION conversations_saying OWNER TO keepsake_search;
REVOKE CREATE ON SCHEMA public FROM keepsake_search;
REVOKE ALL ON FUNCTION conversations_saying FROM PUBLIC;
GRANT EXECUTE ON FUNCTION conversations_saying TO keepsake_app;
