-- The worker takes away what has expired of idempotent requests, also of users who never come back.
-- It sees nothing else of them.

GRANT SELECT (user_id, key, begun_at), DELETE ON idempotency_keys TO keepsake_worker;
CREATE POLICY rows_to_sweep ON idempotency_keys TO keepsake_worker
    USING (begun_at < now() - interval '24 hours');
