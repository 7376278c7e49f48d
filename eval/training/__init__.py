"""Fits the small models of `memory/understanding` from labelled sentences."""
