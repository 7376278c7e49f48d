"""What the time in a question does to a recall: what is searched, and which memories fit. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from memory.models import ItemType
from memory.recall.time import (
    Fit,
    TimeAsked,
    asks_about_past,
    asks_for_everything,
    fit_of,
    time_asked,
    without_time,
)
from memory.store.memories.search import Scope

_HAPPENED = re.compile(r"\b(?:did|happened|have (?:i|we)|has happened)\b", re.IGNORECASE)
_DECIDED = re.compile(
    r"\b(?:(?:which|what)\s+)?(?:decisions?|decided?|deciding)\b(?:\s+(?:did\s+\w+\s+)?(?:take|make)\b)?",
    re.IGNORECASE,
)


class Dated(Protocol):
    """A memory by its words and its dates."""

    @property
    def content(self) -> str: ...

    @property
    def occurred_at(self) -> datetime | None: ...

    @property
    def created_at(self) -> datetime: ...

    @property
    def type(self) -> ItemType: ...


@dataclass(frozen=True)
class Timing:
    """`asked` is None where the question gives no time. `everything` says that it names no topic
    beside it, or none but a type of memory, which is `of_type`; `past` that what was replaced since
    may answer it."""

    asked: TimeAsked | None = None
    everything: bool = False
    past: bool = False
    of_type: ItemType | None = None

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

    def fit(self, memory: Dated) -> Fit:
        if self.asked is None:
            return "unknown"
        learned = memory.occurred_at
        if learned is None and memory.type == self.of_type == "decision":
            learned = memory.created_at
        return fit_of(
            self.asked,
            content=memory.content,
            occurred_at=learned,
            created_at=memory.created_at,
        )

    def fit_by_moment(self, memory: Dated) -> Fit:
        """As far as it is known without reading the memory's words."""
        return "in" if self._happened(memory.occurred_at) else "unknown"

    def answers_alone(self, memory: Dated) -> bool:
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

    def scope(self, scope: Scope) -> Scope:
        """The scope with what this time adds to it: what is searched by words and meaning."""
        as_of = self.asked.end if self.asked is not None and self.asked.kind == "as_of" else None
        return replace(scope, past=self.past, as_of=as_of)

    def counted_from(self, moment: datetime) -> Timing:
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


def timing_of(question: str, now: datetime) -> Timing:
    """What the question says of time, as of `now`."""
    asked = _upto_now(question, time_asked(question, now), now)
    past = asks_about_past(question)
    if asked is None:
        return Timing(past=past)
    rest, decided = _DECIDED.subn("", without_time(question, asked))
    return Timing(asked, asks_for_everything(rest), past, "decision" if decided else None)


def _upto_now(question: str, asked: TimeAsked | None, now: datetime) -> TimeAsked | None:
    """What happened "since May" or "this year" has happened by now."""
    if asked is None or asked.kind == "before" or _HAPPENED.search(question) is None:
        return asked
    reaches_on = asked.end is None or asked.end > now
    return replace(asked, end=now) if asked.start is not None and reaches_on else asked


def searched_words(question: str, timing: Timing) -> str:
    """What is left to search for: the question without its words of time, which stand in memories
    of any other topic as well; the whole question where nothing else would remain."""
    if timing.asked is None or timing.everything:
        return question
    return without_time(question, timing.asked) or question
