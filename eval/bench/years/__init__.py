"""Two years of one user's memories, with and without the upkeep that puts old ones together."""
