-- As what a memory was heard when it was kept, and how sure that was: kind, category, lifetime and a
-- probability, never a word of it. NULL where nothing read it.

ALTER TABLE memory_items ADD COLUMN heard jsonb;
