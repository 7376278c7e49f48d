-- Of two memories that may not both be true the older one can hold as well; the answers are called by
-- which of them does.

ALTER TABLE doubts DROP CONSTRAINT doubts_answer_check;
ALTER TABLE doubts NO FORCE ROW LEVEL SECURITY;
UPDATE doubts SET answer = 'newer' WHERE answer = 'replaced';
ALTER TABLE doubts FORCE ROW LEVEL SECURITY;
ALTER TABLE doubts ADD CONSTRAINT doubts_answer_check
    CHECK (answer IN ('newer', 'older', 'both'));
