-- What programs counted, added up by day, for `python -m app stats`: names of counters, numbers, and
-- labels that come from the program and its settings. No row is of a user.

CREATE TABLE metric_totals (
    day     date NOT NULL,
    name    text NOT NULL,
    labels  jsonb NOT NULL DEFAULT '{}',
    value   double precision NOT NULL,
    PRIMARY KEY (day, name, labels)
);

GRANT SELECT, INSERT, UPDATE (value) ON metric_totals TO keepsake_app;
GRANT SELECT, DELETE ON metric_totals TO keepsake_worker;

-- The worker counts the living memories of all users by bank, from this index alone.
CREATE INDEX idx_memory_items_bank ON memory_items (bank)
    WHERE deleted_at IS NULL AND superseded_by IS NULL;
