"""How long something holds, as a person writes it."""

from __future__ import annotations

import re
from datetime import timedelta

from memory.errors import InvalidInput

NEVER = "never"
LONGEST = timedelta(days=3650)
_DURATION = re.compile(r"(?P<number>[0-9]{1,6})(?P<unit>[hdw])", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_duration(text: str) -> timedelta | None:
    """ "12h", "90d" and "4w"; None for "never". Raises InvalidInput for anything else, for nothing
    at all, and for more than ten years."""
    if text == NEVER:
        return None
    found = _DURATION.fullmatch(text)
    if found is None:
        raise InvalidInput(
            reason="A duration is a number with h, d or w (12h, 90d, 4w), or the word never."
        )
    duration = int(found["number"]) * _UNITS[found["unit"]]
    if not timedelta(0) < duration <= LONGEST:
        raise InvalidInput(reason="A duration is more than nothing, and at most 3650d.")
    return duration
