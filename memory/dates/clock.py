"""The time of day beside a day: "tomorrow at 3pm", "at 9:30 yesterday morning"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memory.dates.spoken import Found, SpokenDate
from memory.dates.words import CLAUSE_END, GOVERNING, pattern

_TIME = (
    r"(?:(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hour24>[0-9]{1,2}):(?P<minute24>[0-9]{2})\b|(?P<word>noon|midday|midnight)\b"
    rf"|(?P<bare>[0-9]{{1,2}})(?:\s+o['’]clock\b|(?=\s*$)|{CLAUSE_END}"
    r"|(?=\s+(?:and|with|in|on|to|for)\b)))"
)
_AFTER = pattern(rf"(?:,?\s+(?:at|around|by|from)\s+|,?\s+(?=[0-9:.]+\s*[ap]\.?m|[0-9]+:)){_TIME}")
_BEFORE = pattern(rf"(?:\b(?P<at>at|around|by)\s+|(?<![\w:.]))(?<!\bin\s){_TIME}\s+(?:on\s+)?$")
_GOVERNS = pattern(rf"{GOVERNING}\b")
_NOON = 12
_EARLIEST_MORNING = 7


def with_clock(text: str, dates: Sequence[Found]) -> list[Found]:
    """The dates with the time of day that stands right after or before them."""
    timed: list[Found] = []
    nexts = [*(found.spoken.start for found in dates[1:]), len(text)]
    for found, limit in zip(dates, nexts, strict=False):
        free = timed[-1].spoken.end if timed else 0
        timed.append(_with_clock(text, found, free, limit))
    return timed


def _with_clock(text: str, found: Found, free: int, limit: int) -> Found:
    """The time may stand anywhere between the dates before and after, `free` and `limit`."""
    spoken = found.spoken
    if spoken.grain != "day" or spoken.ends - spoken.begins > timedelta(days=1):
        return found
    after = _AFTER.match(text, spoken.end, limit)
    if after is not None:
        return _timed(text, found, after, spoken.start, after.end())
    reach = max(free, spoken.start - 20)
    before = _BEFORE.search(text[reach : spoken.start])
    if before is None or _GOVERNS.match(text, spoken.start) or _is_a_count(before):
        return found
    return _timed(text, found, before, reach + before.start(), spoken.end)


def _is_a_count(before: re.Match[str]) -> bool:
    """ "I ate 3 yesterday"."""
    return bool(before["bare"]) and not before["at"]


def _timed(text: str, found: Found, match: re.Match[str], start: int, end: int) -> Found:
    late = re.search(r"\b(?:tonight|evening|night|afternoon)\b", text[start:end], re.I) is not None
    moment = _moment(found.spoken.begins, match, late=late)
    if moment is None:
        return found
    spoken = SpokenDate(
        start, end, moment, moment + timedelta(minutes=1), "minute", found.spoken.relative
    )
    return replace(found, spoken=spoken, reading=replace(found.reading, certain=True))


def _moment(day: datetime, match: re.Match[str], *, late: bool) -> datetime | None:
    """An hour without am or pm is read as people mean it: "at 3" is three in the afternoon."""
    if match["word"]:
        return day.replace(hour=0 if match["word"].lower() == "midnight" else _NOON)
    hour = int(match["hour"] or match["hour24"] or match["bare"])
    minute = int(match["minute"] or match["minute24"] or 0)
    if match["half"]:
        hour = hour % _NOON + (_NOON if match["half"].lower() == "p" else 0)
    elif hour < _NOON and (late or (match["bare"] and hour < _EARLIEST_MORNING)):
        hour += _NOON
    try:
        return day.replace(hour=hour, minute=minute)
    except ValueError:
        return None
