"""Dates in sentences of five languages, read against the moment at which the sentence was said."""

from memory.dates.finding import find_dates
from memory.dates.resolving import resolve
from memory.dates.spoken import Grain, SpokenDate

__all__ = ["Grain", "SpokenDate", "find_dates", "resolve"]
