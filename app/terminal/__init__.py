"""The chat in a terminal, and in a pipe."""
