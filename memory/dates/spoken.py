"""What a date in a sentence is: where it stands and which stretch of time it names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Grain = Literal["minute", "day", "week", "month", "year"]


@dataclass(frozen=True)
class SpokenDate:
    """A date in a text: `text[start:end]` names the time from `begins` up to, without, `ends`.

    `relative` says that the words name another time when read at another moment, which is
    also true of "in May" and "3 March" without a year. A stretch can be longer than its grain:
    a season is three months, a weekend two days. A part of a day ("last night") counts as the
    day it began on.
    """

    start: int
    end: int
    begins: datetime
    ends: datetime
    grain: Grain
    relative: bool


@dataclass(frozen=True)
class Period:
    """A stretch of time, and the words that name it for ever: "on" + "12 June 2026"."""

    begins: datetime
    ends: datetime
    grain: Grain
    name: str
    preposition: str


@dataclass(frozen=True)
class Reading:
    """What matched words mean. Where not `certain`, they may mean a habit or any year.

    A rewritten sentence has the period's preposition and name in the place of the match, or
    `words` in the place of `core` where those are given.
    """

    period: Period
    relative: bool = True
    certain: bool = True
    core: tuple[int, int] | None = None
    words: str | None = None


@dataclass(frozen=True)
class Found:
    """A date, and what a rewritten sentence replaces: `text[core]` by preposition and name."""

    spoken: SpokenDate
    reading: Reading
    core: tuple[int, int]
