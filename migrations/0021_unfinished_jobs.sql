-- How often a job, or the learning from a message, was begun and did not come back: counted before
-- the work begins, and taken back when it ends by itself, well or badly. What is left is of programs
-- that died or stood still over it, and of work that was past its deadline. A constant default
-- rewrites no row, and a program from before leaves both alone.
ALTER TABLE pgqueuer ADD COLUMN takings integer NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN learning_tries integer NOT NULL DEFAULT 0;

-- The function of 0018, where a job that waits since it was past its deadline is being tried again as
-- one that failed is. Owner and rights stay as they are.
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
