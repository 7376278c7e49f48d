"""The search of a recall: two legs, one pool, and what speaks for each candidate."""
