-- Of which memory this one is the rest: what still held when the other was replaced, or a part of it
-- forgotten. Who forgets the rest forgets its words in the whole too.
ALTER TABLE memory_items ADD COLUMN rest_of uuid;
