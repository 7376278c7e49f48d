"""What a worker's death and a bad embedding model do to rows that wait for their vector."""
