"""Dates in English sentences, read against the moment at which the sentence was said."""

from memory.dates.calendar import Grain, SpokenDate
from memory.dates.finder import find_dates, resolve_dates

__all__ = ["Grain", "SpokenDate", "find_dates", "resolve_dates"]
