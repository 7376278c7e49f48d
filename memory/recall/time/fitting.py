"""Whether a memory belongs to the time that was asked about. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from memory.dates.finding import find
from memory.dates.spoken import SpokenDate
from memory.dates.words import pattern
from memory.recall.time.asked import TimeAsked
from memory.recall.time.wording import bare_start

Fit = Literal["in", "out", "unknown"]

# Dates are looked for in so many characters of a memory, ten times a usual one's.
_READ = 1000
# One of these is in every date; to look for them first is far cheaper than to look for dates.
_DATED = pattern(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|days?\b|night|week|month|year|decade"
    r"|morning|evening|yesterday|tomorrow|spring|summer|autumn|winter|\bfall\b|fortnight|\bago\b|hour"
)
_SINCE = pattern(r"\b(?:since|from|starting|beginning)\s+(?:the\s+)?(?:(?:early|mid|late)\s+)?$")
_UNTIL = pattern(r"\b(?:until|till|through|to)\s+(?:the\s+)?(?:(?:early|mid|late)\s+)?$")
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
# A moment is kept in the offset of who said it, and a date in the words read in that of who asks.
_OFFSETS = timedelta(hours=14)
# A stretch lies in a window with half of it, so that an offset does not decide.
_MOST = 0.5


@dataclass(frozen=True)
class _Span:
    begins: datetime
    ends: datetime


def fit_of(
    asked: TimeAsked, *, content: str, occurred_at: datetime | None, created_at: datetime
) -> Fit:
    """By when it happened, as the memory or a date in its words says; where the question is for
    what was told or known, by when it was learned.

    "unknown" where no date is known, where the memory's time is much longer than the window or goes
    on into it, where the question's own time is not known yet, and instead of "out" where a memory
    of another time may answer: what was so may have begun before, and a thing has many memories.
    """
    if asked.start is None and asked.end is None:
        return "unknown"
    window = _Span(asked.start or _FIRST, asked.end or _LAST)
    if asked.kind == "as_of" or asked.sought == "telling":
        return "in" if window.begins <= created_at < window.ends else "out"
    spans = _spans(asked, content, occurred_at, created_at)
    fits = {_fit(asked, span, window) for span in spans}
    if "in" in fits:
        return "in"
    if "unknown" in fits or not spans or _may_answer(asked, spans, window):
        return "unknown"
    return "out"


def _spans(
    asked: TimeAsked, content: str, occurred_at: datetime | None, created_at: datetime
) -> list[_Span]:
    """When the memory says that it was; its moment alone where its words do not tell how long."""
    zone = (asked.start or asked.end or created_at).tzinfo
    spans = _dates_in(content, created_at.astimezone(zone))
    if occurred_at is not None and not any(_tells(span, occurred_at) for span in spans):
        spans.append(_Span(occurred_at, occurred_at))
    return spans


def _tells(span: _Span, moment: datetime) -> bool:
    return span.begins - moment <= _OFFSETS and moment - span.ends < _OFFSETS


def _dates_in(content: str, said_at: datetime) -> list[_Span]:
    """Those that are settled: a birthday in May has no year, and may be in every one."""
    content = content[:_READ]
    if _DATED.search(content) is None:
        return []
    dates = [found.spoken for found in find(content, said_at) if found.reading.certain]
    return [_span(content, date) for date in dates]


def _span(content: str, date: SpokenDate) -> _Span:
    """ "Since 2015" goes on, and "until 2019" began at a time that is not told."""
    before = content[: bare_start(content, date.start, date.end)]
    begins = _FIRST if _UNTIL.search(before) else date.begins
    return _Span(begins, _LAST if _SINCE.search(before) else date.ends)


def _fit(asked: TimeAsked, span: _Span, window: _Span) -> Fit:
    begins, ends = max(span.begins, window.begins), min(span.ends, window.ends)
    if span.begins == span.ends:
        return "in" if window.begins <= span.begins < window.ends else "out"
    if begins >= ends:
        return "out"
    covers = (begins, ends) == (window.begins, window.ends)
    if covers and asked.sought == "state":
        return "in"
    return "in" if (ends - begins) / (span.ends - span.begins) >= _MOST else "unknown"


def _may_answer(asked: TimeAsked, spans: list[_Span], window: _Span) -> bool:
    if asked.sought == "state":
        return any(span.begins < window.ends for span in spans)
    return asked.sought == "thing"
