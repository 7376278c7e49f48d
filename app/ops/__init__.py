"""The commands that keep an installation in order."""
