-- How much is told beside a reply: all that is noted, only what changed, or nothing but what is asked.

ALTER TABLE memory_settings ADD COLUMN notices text NOT NULL DEFAULT 'all'
    CHECK (notices IN ('all', 'changes', 'none'));
