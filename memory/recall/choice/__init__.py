"""The choice among candidates: what is left out and why, and the order of the rest."""
