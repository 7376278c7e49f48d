-- Of which memory this one is the rest: what still held when the other was replaced, or a part of it
-- forgotten. To forget the rest is to forget the words in the whole too.

ALTER TABLE memory_items ADD COLUMN rest_of uuid;
