-- Vectors of another model. While `python -m app reembed` makes them, each table that has vectors has
-- a second column for them (next_embedding), and the profile names the model that follows. Both are
-- gone when it has taken the place of the old one; see migrations/vector_swap.py.

ALTER TABLE embedding_profile
    ADD COLUMN next_model       text,
    ADD COLUMN next_dimensions  integer,
    ADD CONSTRAINT embedding_profile_next_check
        CHECK ((next_model IS NULL) = (next_dimensions IS NULL));

-- Words that changed, or that lost their vector, have none of the model that follows either. The
-- trigger that calls this is there as long as the column is.
CREATE FUNCTION drop_next_vector() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    NEW.next_embedding := NULL;
    NEW.next_embedding_model := NULL;
    RETURN NEW;
END $$;
