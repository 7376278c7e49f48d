-- The tables, their constraints and indexes. user_id leads every primary and foreign key of a user's
-- table, so that it can be distributed by user. {dimensions} is the embedding model's, fixed when the
-- database is made. Who may see what is in policies.sql, what reads and guards the rows in
-- functions.sql: a restore fills the tables before both.

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- While `python -m app reembed` makes vectors of another model, each table that has vectors has a
-- second column for them (next_embedding), and the profile names the model that follows. Both are
-- gone when it has taken the place of the old one; see migrations/vector_swap.py.
CREATE TABLE embedding_profile (
    only_row         boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    model            text NOT NULL,
    dimensions       integer NOT NULL,
    next_model       text,
    next_dimensions  integer,
    CONSTRAINT embedding_profile_next_check
        CHECK ((next_model IS NULL) = (next_dimensions IS NULL))
);

-- What the keyword leg searches: the words of the content and of the tags. The generated columns
-- below hold what this function and the next said when a row was written.
CREATE FUNCTION keyword_vector(content text, tags text[] DEFAULT '{}') RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('english'::regconfig, content || ' ' || array_to_string(tags, ' '));

-- Length of a document in words, as BM25 counts it: every position of every lexeme.
CREATE FUNCTION keyword_length(words tsvector) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(sum(cardinality(positions)), 0)::integer FROM unnest(words));

-- `privacy` is how private a stored conversation was made, so that it goes on so after the program
-- ends: what was said in it before stays, what is said from then on is stored nowhere. Nothing else
-- of that is kept, neither when nor how often.
CREATE TABLE conversations (
    user_id     varchar(255) NOT NULL CHECK (user_id <> ''),
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    title       varchar(500),
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    space       varchar(255) NOT NULL DEFAULT 'default',
    privacy     varchar(20) NOT NULL DEFAULT 'normal'
                CHECK (privacy IN ('normal', 'incognito', 'incognito_read_only')),
    PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_conversations_updated_at ON conversations (user_id, updated_at DESC);

CREATE TABLE messages (
    user_id             varchar(255) NOT NULL CHECK (user_id <> ''),
    id                  uuid NOT NULL DEFAULT gen_random_uuid(),
    conversation_id     uuid NOT NULL,
    position            bigint GENERATED ALWAYS AS IDENTITY,
    role                varchar(20) NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    content             text NOT NULL,
    status              varchar(20) NOT NULL DEFAULT 'complete'
                        CHECK (status IN ('complete', 'interrupted', 'failed', 'withheld')),
    correlation_id      uuid NOT NULL,
    recalled            jsonb NOT NULL DEFAULT '[]',
    embedding           halfvec({dimensions}),
    embedding_model     text,
    needs_embedding     boolean NOT NULL DEFAULT true,
    created_at          timestamptz NOT NULL DEFAULT now(),
    search              tsvector NOT NULL GENERATED ALWAYS AS (keyword_vector(content)) STORED,
    needs_learning      boolean NOT NULL DEFAULT false,
    -- As BM25 counts it, by a trigger; where it is missing, it is counted when the words are found.
    search_length       integer,
    -- What was said where memory is not to keep anything, what was a command or only a question, and
    -- a reply that hands back messages is no part of what is searched.
    recallable          boolean NOT NULL DEFAULT true,
    -- Since when it waits for its vector, which is not its age: what is imported, restored, reworded
    -- or made anew for another model waits from then on.
    waiting_since       timestamptz NOT NULL DEFAULT now(),
    -- How often the learning from it was begun and did not come back: counted before the work begins,
    -- and taken back when it ends by itself, well or badly. What is left is of programs that died or
    -- stood still over it, and of work that was past its deadline.
    learning_tries      integer NOT NULL DEFAULT 0,
    -- Whoever learns from it takes it first, so that no other program does so too, and since when,
    -- after which a claim that nobody gave back is void.
    claimed_by          varchar(255),
    claimed_at          timestamptz,
    -- Where it was said, in minutes east of UTC: what is learned later is dated there.
    utc_offset_minutes  smallint CHECK (utc_offset_minutes BETWEEN -1080 AND 1080),
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id) ON DELETE CASCADE
);
ALTER TABLE messages ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX idx_messages_conversation_id ON messages (user_id, conversation_id, position);
CREATE INDEX idx_messages_correlation_id ON messages (user_id, correlation_id);
CREATE INDEX idx_messages_needs_embedding ON messages (user_id, position) WHERE needs_embedding;
CREATE INDEX idx_messages_needs_learning ON messages (user_id, position) WHERE needs_learning;
CREATE INDEX idx_messages_content_fts ON messages USING gin (user_id, search);
-- The lengths of a user's messages without their rows.
CREATE INDEX idx_messages_recallable ON messages (user_id, conversation_id, search_length)
    WHERE recallable AND status IN ('complete', 'interrupted');

CREATE TABLE memory_items (
    user_id              varchar(255) NOT NULL CHECK (user_id <> ''),
    id                   uuid NOT NULL DEFAULT gen_random_uuid(),
    content              text NOT NULL CHECK (content <> ''),
    type                 varchar(20) NOT NULL CHECK (type IN (
                             'fact', 'preference', 'decision', 'note',
                             'procedure', 'constraint', 'definition')),
    space                varchar(255) NOT NULL DEFAULT 'default',
    bank                 varchar(50) NOT NULL DEFAULT 'General',
    role                 varchar(20) NOT NULL DEFAULT 'user'
                         CHECK (role IN ('user', 'assistant', 'system')),
    tags                 text[] NOT NULL DEFAULT '{}',
    source_ids           text[] NOT NULL DEFAULT '{}',
    source_message_id    uuid,
    embedding            halfvec({dimensions}),
    embedding_model      text,
    needs_embedding      boolean NOT NULL DEFAULT true,
    simhash              bigint,
    repeat_count         integer NOT NULL DEFAULT 0,
    importance           double precision NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    salience             double precision NOT NULL DEFAULT 0,
    metadata_confidence  double precision NOT NULL DEFAULT 0
                         CHECK (metadata_confidence BETWEEN 0 AND 1),
    pinned               boolean NOT NULL DEFAULT false,
    manually_saved       boolean NOT NULL DEFAULT false,
    created_at           timestamptz NOT NULL DEFAULT now(),
    occurred_at          timestamptz,
    valid_to             timestamptz,
    superseded_by        uuid,
    summary_of           uuid[] NOT NULL DEFAULT '{}',
    expires_at           timestamptz,
    deleted_at           timestamptz,
    search               tsvector NOT NULL
                         GENERATED ALWAYS AS (keyword_vector(content, tags)) STORED,
    search_length        integer NOT NULL
                         GENERATED ALWAYS AS (keyword_length(keyword_vector(content, tags))) STORED,
    -- What it is about.
    slot                 varchar(100),
    removed_because      varchar(20) CHECK (removed_because IN (
                             'forgotten', 'trimmed', 'archived', 'cleaned', 'retired')),
    -- Whether it is found by its words.
    in_keywords          boolean NOT NULL DEFAULT true,
    waiting_since        timestamptz NOT NULL DEFAULT now(),
    -- Of which memory this one is the rest: what still held when the other was replaced, or a part of
    -- it forgotten. Who forgets the rest forgets its words in the whole too.
    rest_of              uuid,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, source_message_id) REFERENCES messages (user_id, id)
        ON DELETE SET NULL (source_message_id),
    FOREIGN KEY (user_id, superseded_by) REFERENCES memory_items (user_id, id)
        ON DELETE SET NULL (superseded_by)
);
ALTER TABLE memory_items ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX idx_memory_items_user_id ON memory_items (user_id, space, search_length)
    WHERE deleted_at IS NULL AND superseded_by IS NULL;
CREATE INDEX idx_memory_items_type ON memory_items (user_id, type) WHERE deleted_at IS NULL;
CREATE INDEX idx_memory_items_needs_embedding ON memory_items (user_id, created_at)
    WHERE needs_embedding AND deleted_at IS NULL;
CREATE INDEX idx_memory_items_source ON memory_items (user_id, source_message_id);
CREATE INDEX idx_memory_items_superseded_by ON memory_items (user_id, superseded_by);
CREATE INDEX idx_memory_items_slot ON memory_items (user_id, space, slot)
    WHERE deleted_at IS NULL AND slot IS NOT NULL;
CREATE INDEX idx_memory_items_occurred_at ON memory_items (user_id, space, occurred_at)
    WHERE deleted_at IS NULL AND occurred_at IS NOT NULL;
-- What is taken out of recall leaves the keyword index with the statement that takes it out.
CREATE INDEX idx_memory_items_content_fts ON memory_items USING gin (user_id, search)
    WHERE deleted_at IS NULL AND in_keywords;
-- What waits to be removed for good, and the roll-ups.
CREATE INDEX idx_memory_items_removed ON memory_items (user_id, deleted_at)
    WHERE deleted_at IS NOT NULL;
CREATE INDEX idx_memory_items_roll_ups ON memory_items (user_id) WHERE summary_of <> '{}';
-- The worker counts the living memories of all users by bank, from this index alone.
CREATE INDEX idx_memory_items_bank ON memory_items (bank)
    WHERE deleted_at IS NULL AND superseded_by IS NULL;

-- Apart from memory_items, so that a recall never rewrites a row that holds a vector.
CREATE TABLE memory_usage (
    user_id           varchar(255) NOT NULL CHECK (user_id <> ''),
    item_id           uuid NOT NULL,
    access_count      integer NOT NULL DEFAULT 0,
    last_accessed_at  timestamptz,
    last_scores       jsonb,
    PRIMARY KEY (user_id, item_id),
    FOREIGN KEY (user_id, item_id) REFERENCES memory_items (user_id, id) ON DELETE CASCADE
);

CREATE TABLE memory_settings (
    user_id            varchar(255) NOT NULL CHECK (user_id <> ''),
    space              varchar(255) NOT NULL DEFAULT 'default',
    memory_mode        varchar(20) NOT NULL DEFAULT 'full'
                       CHECK (memory_mode IN ('full', 'read_only', 'off')),
    incognito_default  boolean NOT NULL DEFAULT false,
    updated_at         timestamptz NOT NULL DEFAULT now(),
    redact_messages    boolean NOT NULL DEFAULT true,
    PRIMARY KEY (user_id, space)
);

-- Two memories that may not both be true, until the user says which of them does.
CREATE TABLE doubts (
    user_id      varchar(255) NOT NULL CHECK (user_id <> ''),
    id           uuid NOT NULL DEFAULT gen_random_uuid(),
    older_id     uuid NOT NULL,
    newer_id     uuid NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    answer       varchar(20) CHECK (answer IN ('newer', 'older', 'both')),
    answered_at  timestamptz,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, older_id, newer_id),
    FOREIGN KEY (user_id, older_id) REFERENCES memory_items (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, newer_id) REFERENCES memory_items (user_id, id) ON DELETE CASCADE
);

-- One for each forgotten memory: digests instead of its words. It keeps the memory from coming
-- back until expires_at, and proves afterwards what was removed.
CREATE TABLE tombstones (
    user_id          varchar(255) NOT NULL CHECK (user_id <> ''),
    space            varchar(255) NOT NULL DEFAULT 'default',
    digest           bytea NOT NULL,
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL,
    item_id          uuid NOT NULL,
    simhash          bigint NOT NULL,
    sketch           bytea,
    was_trimmed      boolean NOT NULL DEFAULT false,
    erase_after      timestamptz NOT NULL,
    erased_at        timestamptz,
    history          varchar(10) NOT NULL DEFAULT 'redact'
                     CHECK (history IN ('keep', 'redact', 'delete')),
    removed          jsonb NOT NULL DEFAULT '{}',
    -- What had taken the memory out of recall before it was forgotten: it comes back as that.
    removed_because  varchar(20),
    PRIMARY KEY (user_id, item_id)
);
CREATE INDEX idx_tombstones_space ON tombstones (user_id, space, expires_at);
CREATE INDEX idx_tombstones_erase_after ON tombstones (user_id, erase_after)
    WHERE erased_at IS NULL;

CREATE TABLE audit_log (
    user_id         varchar(255) NOT NULL CHECK (user_id <> ''),
    id              bigint GENERATED ALWAYS AS IDENTITY,
    action          varchar(50) NOT NULL,
    item_id         uuid,
    correlation_id  uuid,
    detail          jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    actor           varchar(20) NOT NULL DEFAULT 'user'
                    CHECK (actor IN ('user', 'assistant', 'learning', 'upkeep', 'import')),
    PRIMARY KEY (user_id, id)
);

-- A task, what was done for it, and how it ended (004, tier 2).
CREATE TABLE episodes (
    user_id          varchar(255) NOT NULL CHECK (user_id <> ''),
    id               uuid NOT NULL DEFAULT gen_random_uuid(),
    task             text NOT NULL CHECK (task <> ''),
    plan             jsonb NOT NULL DEFAULT '[]',
    actions          jsonb NOT NULL DEFAULT '[]',
    outcome_score    double precision CHECK (outcome_score BETWEEN 0 AND 1),
    lessons_learned  text[] NOT NULL DEFAULT '{}',
    failure_modes    text[] NOT NULL DEFAULT '{}',
    embedding        halfvec({dimensions}),
    needs_embedding  boolean NOT NULL DEFAULT true,
    created_at       timestamptz NOT NULL DEFAULT now(),
    completed_at     timestamptz,
    space            varchar(255) NOT NULL DEFAULT 'default',
    embedding_model  text,
    updated_at       timestamptz NOT NULL DEFAULT now(),
    search           tsvector NOT NULL GENERATED ALWAYS AS (keyword_vector(task)) STORED,
    PRIMARY KEY (user_id, id),
    CONSTRAINT episodes_ended_check CHECK ((completed_at IS NULL) = (outcome_score IS NULL))
);
CREATE INDEX idx_episodes_space ON episodes (user_id, space, created_at DESC);
CREATE INDEX idx_episodes_needs_embedding ON episodes (user_id, created_at) WHERE needs_embedding;

-- The planner's statistics hold sample values, and would keep words that were erased until the next
-- ANALYZE. No query's plan depends on the distribution of these columns.
ALTER TABLE conversations ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE messages
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN embedding SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE memory_items
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN slot SET STATISTICS 0,
    ALTER COLUMN embedding SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE episodes
    ALTER COLUMN task SET STATISTICS 0,
    ALTER COLUMN plan SET STATISTICS 0,
    ALTER COLUMN actions SET STATISTICS 0,
    ALTER COLUMN lessons_learned SET STATISTICS 0,
    ALTER COLUMN failure_modes SET STATISTICS 0,
    ALTER COLUMN embedding SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;

-- Who may ask as which user. A key itself is stored nowhere, only its SHA-256 digest.
CREATE TABLE api_keys (
    user_id       varchar(255) NOT NULL CHECK (user_id <> ''),
    id            uuid NOT NULL DEFAULT gen_random_uuid(),
    digest        bytea NOT NULL CHECK (length(digest) = 32),
    name          varchar(100) NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz,
    revoked_at    timestamptz,
    last_used_on  date,
    PRIMARY KEY (user_id, id)
);
-- Not unique, so that the table can be distributed by user: two keys of 256 random bits are never
-- the same.
CREATE INDEX idx_api_keys_digest ON api_keys (digest);

-- Requests that were sent with an Idempotency-Key, so that the same one twice is done once. A row
-- holds digests, a status, ids and counts; never words of a memory, which must stay forgettable.
CREATE TABLE idempotency_keys (
    user_id   varchar(255) NOT NULL CHECK (user_id <> ''),
    key       bytea NOT NULL,        -- keyed digest of the route and the key
    request   bytea NOT NULL,        -- keyed digest of what was asked with it
    attempt   uuid NOT NULL,         -- which of several runs may say what came of it
    begun_at  timestamptz NOT NULL,
    status    smallint,              -- of the answer; NULL while the request is under way
    outcome   varchar(30) CHECK (outcome ~ '^[a-z_]+$'),
    ids       jsonb NOT NULL DEFAULT '{}',
    counts    jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idx_idempotency_keys_begun_at ON idempotency_keys (user_id, begun_at);

-- The sessions of browsers that were signed out before their time, so that no process takes a copied
-- cookie for one. A random number and a time: nothing tells whose it was, and it stays until its time
-- where its user is erased, lest the cookie be good again.
CREATE TABLE ended_sessions (
    id       uuid PRIMARY KEY,
    ends_at  timestamptz NOT NULL
);
CREATE INDEX idx_ended_sessions_ends_at ON ended_sessions (ends_at);

-- What programs counted, added up by day, for `python -m app stats`: names of counters, numbers, and
-- labels that come from the program and its settings. No row is of a user.
CREATE TABLE metric_totals (
    day     date NOT NULL,
    name    text NOT NULL,
    labels  jsonb NOT NULL DEFAULT '{}',
    value   double precision NOT NULL,
    PRIMARY KEY (day, name, labels)
);

-- The queue of what is done behind: the tables of pgqueuer 1.6 as it declares them (prefix '', all
-- of them logged). A job holds the id of its user and nothing of what they said; a job for
-- everything holds none.

CREATE TYPE pgqueuer_status AS ENUM ('queued', 'picked', 'successful', 'exception', 'canceled', 'deleted', 'failed');

CREATE TABLE pgqueuer (
    id bigserial NOT NULL PRIMARY KEY,
    priority integer NOT NULL,
    queue_manager_id uuid,
    created timestamp with time zone NOT NULL DEFAULT now(),
    updated timestamp with time zone NOT NULL DEFAULT now(),
    heartbeat timestamp with time zone NOT NULL DEFAULT now(),
    execute_after timestamp with time zone NOT NULL DEFAULT now(),
    status pgqueuer_status NOT NULL,
    entrypoint text NOT NULL,
    dedupe_key text,
    payload bytea,
    headers jsonb,
    attempts integer NOT NULL DEFAULT 0,
    slot bigint
);

CREATE TABLE pgqueuer_log (
    id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL PRIMARY KEY,
    created timestamp with time zone NOT NULL DEFAULT now(),
    job_id bigint NOT NULL,
    status pgqueuer_status NOT NULL,
    priority integer NOT NULL,
    entrypoint text NOT NULL,
    traceback jsonb,
    aggregated boolean DEFAULT false
);

CREATE TABLE pgqueuer_schedules (
    id bigserial NOT NULL PRIMARY KEY,
    expression text NOT NULL,
    entrypoint text NOT NULL,
    heartbeat timestamp with time zone NOT NULL DEFAULT now(),
    created timestamp with time zone NOT NULL DEFAULT now(),
    updated timestamp with time zone NOT NULL DEFAULT now(),
    next_run timestamp with time zone NOT NULL DEFAULT now(),
    last_run timestamp with time zone,
    status pgqueuer_status DEFAULT 'queued'::pgqueuer_status,
    UNIQUE (expression, entrypoint)
);

CREATE TABLE pgqueuer_statistics (
    id bigserial NOT NULL PRIMARY KEY,
    created timestamp with time zone NOT NULL DEFAULT date_trunc('sec'::text, now()),
    count bigint NOT NULL,
    priority integer NOT NULL,
    status pgqueuer_status NOT NULL,
    entrypoint text NOT NULL
);

CREATE INDEX pgqueuer_ep_ea_idx ON pgqueuer USING btree (entrypoint, execute_after) WHERE (status = 'queued'::pgqueuer_status);

CREATE INDEX pgqueuer_ep_prio_id_idx ON pgqueuer USING btree (entrypoint, priority DESC, id) WHERE (status = 'queued'::pgqueuer_status);

CREATE INDEX pgqueuer_log_created ON pgqueuer_log USING btree (created);

CREATE INDEX pgqueuer_log_job_id_status ON pgqueuer_log USING btree (job_id, created DESC);

CREATE INDEX pgqueuer_log_not_aggregated ON pgqueuer_log USING btree ((1)) WHERE (NOT aggregated);

CREATE INDEX pgqueuer_log_status ON pgqueuer_log USING btree (status);

CREATE INDEX pgqueuer_picked_heartbeat_idx ON pgqueuer USING btree (heartbeat) WHERE (status = 'picked'::pgqueuer_status);

CREATE UNIQUE INDEX pgqueuer_picked_slot_idx ON pgqueuer USING btree (entrypoint, slot) WHERE ((status = 'picked'::pgqueuer_status) AND (slot IS NOT NULL));

CREATE INDEX pgqueuer_priority_id_id1_idx ON pgqueuer USING btree (priority, id DESC) INCLUDE (id) WHERE (status = 'queued'::pgqueuer_status);

CREATE INDEX pgqueuer_queue_manager_id_idx ON pgqueuer USING btree (queue_manager_id) WHERE (queue_manager_id IS NOT NULL);

CREATE UNIQUE INDEX pgqueuer_statistics_unique_count ON pgqueuer_statistics USING btree (priority, date_trunc('sec'::text, timezone('UTC'::text, created)), status, entrypoint);

CREATE UNIQUE INDEX pgqueuer_unique_dedupe_key ON pgqueuer USING btree (dedupe_key) WHERE ((status = ANY (ARRAY['queued'::pgqueuer_status, 'picked'::pgqueuer_status])) AND (dedupe_key IS NOT NULL));

CREATE INDEX pgqueuer_updated_id_id1_idx ON pgqueuer USING btree (updated, id DESC) INCLUDE (id) WHERE (status = 'picked'::pgqueuer_status);

-- How often a job was begun and did not come back, as `learning_tries` of a message.
ALTER TABLE pgqueuer ADD COLUMN takings integer NOT NULL DEFAULT 0;
-- By whose job it is: what is wanted again is looked up before it is put.
CREATE INDEX pgqueuer_entrypoint_payload_idx ON pgqueuer (entrypoint, payload);
