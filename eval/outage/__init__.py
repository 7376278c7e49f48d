"""Recall while a part of what it stands on is away, beside recall with everything there."""
