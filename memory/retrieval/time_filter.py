"""What the time in a question does to a recall: what is searched, and which memories fit. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from memory.retrieval.time_question import (
    AskedTime,
    TimeFit,
    asks_for_everything,
    match_time,
    parse_asked_time,
    without_time,
)
from memory.store.search import SearchScope
from memory.types import MemoryType
from memory.understanding.past_questions import asks_about_past

_HAPPENED = re.compile(r"\b(?:did|happened|have (?:i|we)|has happened)\b", re.IGNORECASE)
_DECIDED = re.compile(
    r"\b(?:(?:which|what)\s+)?(?:decisions?|decided?|deciding)\b(?:\s+(?:did\s+\w+\s+)?(?:take|make)\b)?",
    re.IGNORECASE,
)


class DatedMemory(Protocol):
    """A memory by its words and its dates."""

    @property
    def content(self) -> str: ...

    @property
    def occurred_at(self) -> datetime | None: ...

    @property
    def created_at(self) -> datetime: ...

    @property
    def type(self) -> MemoryType: ...


@dataclass(frozen=True)
class TimeFilter:
    """`asked` is None where the question gives no time. `everything` says that it names no topic
    beside it, or none but a type of memory, which is `of_type`; `past` that what was replaced since
    may answer it."""

    asked: AskedTime | None = None
    everything: bool = False
    past: bool = False
    of_type: MemoryType | None = None

    @property
    def words(self) -> str:
        return "" if self.asked is None else self.asked.words

    @property
    def anchor(self) -> str | None:
        """The event that the time counts from and whose moment is still to be found."""
        return None if self.asked is None else self.asked.anchor

    @property
    def is_open(self) -> bool:
        """Whether there is no stretch of time to search."""
        return self.asked is None or (self.asked.start is None and self.asked.end is None)

    @property
    def by_learning(self) -> bool:
        """Whether the time is that of being told, not of having happened. A decision is made when
        it is told, unless it says otherwise."""
        return self.asked is not None and (
            self.asked.sought == "telling" or self.of_type == "decision"
        )

    def fit(self, memory: DatedMemory) -> TimeFit:
        if self.asked is None:
            return "unknown"
        learned = memory.occurred_at
        if learned is None and memory.type == self.of_type == "decision":
            learned = memory.created_at
        return match_time(
            self.asked,
            content=memory.content,
            occurred_at=learned,
            created_at=memory.created_at,
        )

    def match_by_moment(self, memory: DatedMemory) -> TimeFit:
        """As far as it is known without reading the memory's words."""
        return "in" if self._happened(memory.occurred_at) else "unknown"

    def answers_alone(self, memory: DatedMemory) -> bool:
        """Whether a memory of that time is asked for by the time alone. What only lasted then, of
        all that lasts, is not."""
        if self.asked is None or not self.everything or self.of_type not in {None, memory.type}:
            return False
        return self.asked.sought != "state" or self._happened(memory.occurred_at)

    def _happened(self, moment: datetime | None) -> bool:
        if self.asked is None or moment is None:
            return False
        begun = self.asked.start is None or self.asked.start <= moment
        return begun and (self.asked.end is None or moment < self.asked.end)

    def scope(self, scope: SearchScope) -> SearchScope:
        """The scope with what this time adds to it: what is searched by words and meaning."""
        as_of = self.asked.end if self.asked is not None and self.asked.kind == "as_of" else None
        return replace(scope, past=self.past, as_of=as_of)

    def anchored_at(self, moment: datetime) -> TimeFilter:
        """The same with the moment of its anchor known."""
        if self.asked is None:
            return self
        before = self.asked.kind == "before"
        asked = replace(
            self.asked,
            start=None if before else moment,
            end=moment if before else None,
            anchor=None,
        )
        return replace(self, asked=asked)


def parse_time_filter(question: str, now: datetime) -> TimeFilter:
    """What the question says of time, as of `now`."""
    asked = _upto_now(question, parse_asked_time(question, now), now)
    past = (asked is not None and asked.kind == "as_of") or asks_about_past(question)
    if asked is None:
        return TimeFilter(past=past)
    rest, decided = _DECIDED.subn("", without_time(question, asked))
    return TimeFilter(asked, asks_for_everything(rest), past, "decision" if decided else None)


def _upto_now(question: str, asked: AskedTime | None, now: datetime) -> AskedTime | None:
    """What happened "since May" or "this year" has happened by now."""
    if asked is None or asked.kind == "before" or _HAPPENED.search(question) is None:
        return asked
    reaches_on = asked.end is None or asked.end > now
    return replace(asked, end=now) if asked.start is not None and reaches_on else asked


def query_without_time(question: str, timing: TimeFilter) -> str:
    """What is left to search for: the question without its words of time, which stand in memories
    of any other topic as well; the whole question where nothing else would remain."""
    if timing.asked is None or timing.everything:
        return question
    return without_time(question, timing.asked) or question
