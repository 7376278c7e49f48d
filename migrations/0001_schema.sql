-- Users' tables. user_id leads every primary and foreign key, so that the tables can be
-- distributed by user. {dimensions} is the embedding model's, fixed when the database is made.

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE embedding_profile (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    model       text NOT NULL,
    dimensions  integer NOT NULL
);

-- What the keyword leg searches: the words of the content and of the tags.
CREATE FUNCTION keyword_vector(content text, tags text[] DEFAULT '{}') RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('english'::regconfig, content || ' ' || array_to_string(tags, ' '));

-- Length of a document in words, as BM25 counts it: every position of every lexeme.
CREATE FUNCTION keyword_length(words tsvector) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(sum(cardinality(positions)), 0)::integer FROM unnest(words));

CREATE TABLE conversations (
    user_id     varchar(255) NOT NULL CHECK (user_id <> ''),
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    title       varchar(500),
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_conversations_updated_at ON conversations (user_id, updated_at DESC);

CREATE TABLE messages (
    user_id          varchar(255) NOT NULL CHECK (user_id <> ''),
    id               uuid NOT NULL DEFAULT gen_random_uuid(),
    conversation_id  uuid NOT NULL,
    position         bigint GENERATED ALWAYS AS IDENTITY,
    role             varchar(20) NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    content          text NOT NULL,
    status           varchar(20) NOT NULL DEFAULT 'complete'
                     CHECK (status IN ('complete', 'interrupted', 'failed', 'withheld')),
    correlation_id   uuid NOT NULL,
    recalled         jsonb NOT NULL DEFAULT '[]',
    embedding        halfvec({dimensions}),
    embedding_model  text,
    needs_embedding  boolean NOT NULL DEFAULT true,
    created_at       timestamptz NOT NULL DEFAULT now(),
    search           tsvector NOT NULL GENERATED ALWAYS AS (keyword_vector(content)) STORED,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id) ON DELETE CASCADE
);
ALTER TABLE messages ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX idx_messages_conversation_id ON messages (user_id, conversation_id, position);
CREATE INDEX idx_messages_correlation_id ON messages (user_id, correlation_id);
CREATE INDEX idx_messages_needs_embedding ON messages (user_id, position) WHERE needs_embedding;
CREATE INDEX idx_messages_content_fts ON messages USING gin (user_id, search);

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
CREATE INDEX idx_memory_items_content_fts ON memory_items USING gin (user_id, search);

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
    PRIMARY KEY (user_id, space)
);

CREATE TABLE tombstones (
    user_id     varchar(255) NOT NULL CHECK (user_id <> ''),
    space       varchar(255) NOT NULL DEFAULT 'default',
    digest      bytea NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (user_id, space, digest)
);

CREATE TABLE audit_log (
    user_id         varchar(255) NOT NULL CHECK (user_id <> ''),
    id              bigint GENERATED ALWAYS AS IDENTITY,
    action          varchar(50) NOT NULL,
    item_id         uuid,
    correlation_id  uuid,
    detail          jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);

CREATE TABLE episodes (
    user_id          varchar(255) NOT NULL CHECK (user_id <> ''),
    id               uuid NOT NULL DEFAULT gen_random_uuid(),
    task             text NOT NULL,
    plan             jsonb NOT NULL DEFAULT '[]',
    actions          jsonb NOT NULL DEFAULT '[]',
    outcome_score    double precision CHECK (outcome_score BETWEEN 0 AND 1),
    lessons_learned  text[] NOT NULL DEFAULT '{}',
    failure_modes    text[] NOT NULL DEFAULT '{}',
    embedding        halfvec({dimensions}),
    needs_embedding  boolean NOT NULL DEFAULT true,
    created_at       timestamptz NOT NULL DEFAULT now(),
    completed_at     timestamptz,
    PRIMARY KEY (user_id, id)
);
