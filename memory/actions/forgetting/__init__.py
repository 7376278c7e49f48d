"""Forgetting: what is meant, taken away, undone, erased and proved."""
