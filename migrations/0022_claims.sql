-- Whoever learns from a message takes it first, so that no other program does so too: its name in
-- `claimed_by`, and since when, after which a claim that nobody gave back is void. Beside it where the
-- message was said: minutes east of UTC, null where a program from before wrote it. What is learned
-- later is dated there. No row is rewritten, and a program from before leaves all three alone.
ALTER TABLE messages
    ADD COLUMN claimed_by varchar(255),
    ADD COLUMN claimed_at timestamptz,
    ADD COLUMN utc_offset_minutes smallint CHECK (utc_offset_minutes BETWEEN -1080 AND 1080);
