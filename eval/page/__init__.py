"""The figures of a commit on one page, with plots."""
