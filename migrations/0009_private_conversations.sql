-- How private a stored conversation was made, so that it goes on so after the program ends: what was
-- said in it before stays, what is said from then on is stored nowhere. Nothing else of that is kept,
-- neither when nor how often.

ALTER TABLE conversations ADD COLUMN privacy varchar(20) NOT NULL DEFAULT 'normal'
    CHECK (privacy IN ('normal', 'incognito', 'incognito_read_only'));
