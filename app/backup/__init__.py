"""A backup in one file: written, checked by a restore of it, and restored."""
