-- Episodes: a task, what was done for it, and how it ended (004, tier 2). The table stands since
-- 0001; here it gets what it is found, kept up and forgotten by.

ALTER TABLE episodes
    ADD COLUMN space varchar(255) NOT NULL DEFAULT 'default',
    ADD COLUMN embedding_model text,
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (keyword_vector(task)) STORED,
    ADD CONSTRAINT episodes_task_check CHECK (task <> ''),
    ADD CONSTRAINT episodes_ended_check CHECK ((completed_at IS NULL) = (outcome_score IS NULL));
CREATE INDEX idx_episodes_space ON episodes (user_id, space, created_at DESC);
CREATE INDEX idx_episodes_needs_embedding ON episodes (user_id, created_at) WHERE needs_embedding;

-- As for memories: the planner's statistics hold no words.
ALTER TABLE episodes
    ALTER COLUMN task SET STATISTICS 0,
    ALTER COLUMN plan SET STATISTICS 0,
    ALTER COLUMN actions SET STATISTICS 0,
    ALTER COLUMN lessons_learned SET STATISTICS 0,
    ALTER COLUMN failure_modes SET STATISTICS 0,
    ALTER COLUMN embedding SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;

-- Where memory is off or read-only nothing is begun, gone on with or ended; the rule of 0004. What
-- takes words out is not refused in any mode.
CREATE TRIGGER episode_is_wanted BEFORE INSERT ON episodes
    FOR EACH ROW EXECUTE FUNCTION refuse_unwanted_memory();
CREATE TRIGGER episode_is_still_wanted BEFORE UPDATE OF actions, outcome_score ON episodes
    FOR EACH ROW WHEN (jsonb_array_length(NEW.actions) > jsonb_array_length(OLD.actions)
                       OR NEW.outcome_score IS DISTINCT FROM OLD.outcome_score)
    EXECUTE FUNCTION refuse_unwanted_memory();

-- Whose episodes there are to look after; what is done with them is done as the user.
GRANT SELECT (user_id) ON episodes TO keepsake_worker;
CREATE POLICY owners ON episodes FOR SELECT TO keepsake_worker USING (true);
