-- The sessions of browsers that were signed out before their time, so that no process takes a copied
-- cookie for one. A random number and a time: nothing tells whose it was, and it stays until its time
-- where its user is erased, lest the cookie be good again.

CREATE TABLE ended_sessions (
    id       uuid PRIMARY KEY,
    ends_at  timestamptz NOT NULL
);
CREATE INDEX idx_ended_sessions_ends_at ON ended_sessions (ends_at);

GRANT SELECT, INSERT, DELETE ON ended_sessions TO keepsake_app;
