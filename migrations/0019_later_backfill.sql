-- The functions of 0013, whose job comes half a minute after the row instead of five seconds: who
-- goes on talking asks for one job in that time, not for one with every turn, and the program that
-- wrote the rows has filled them long before. Owner and rights stay as they are.
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
