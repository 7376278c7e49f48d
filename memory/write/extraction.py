"""What is worth keeping of a message, whoever read it: all that is told, unless it is surely
something else (docs/decisions/0025-offline-reader.md)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from memory.models import BANKS, DEFAULT_BANK, Role
from memory.secrets import KINDS
from memory.understanding import Reading, Segment, beside, without_left_out
from memory.write.banks import bank_of
from memory.write.candidates import Candidate, Said, Told
from memory.write.importance import importance_of
from memory.write.novelty import relations_told
from memory.write.second_person import as_the_user_would
from memory.write.types import type_of

DEFAULT_MIN_CHARS = 8
DEFAULT_ROLES: frozenset[Role] = frozenset({"user"})
MAX_CANDIDATES = 24
MAX_CONTENT_CHARS = 1000
# Losing what was told is silent, keeping too much is trimmed: chosen on conversations of others
# that were replayed (docs/decisions/0025-offline-reader.md).
KEPT_FROM = 0.12
# What goes on with something that is kept.
PART_FROM = 0.1
# What is surely talk is left out however much else it may be: general knowledge, exclamations.
TALK_FROM = 0.47
# What passes is kept for a season, and so is what was to happen on a day.
PASSES_AFTER = timedelta(days=90)
# 003, phase 5: a preference this short and sure needs no model.
SHORT_CHARS = 60
SURELY = 0.6
_FEWEST_WORDS = 5
_REMOVED = re.compile("|".join(re.escape(f"[{kind} removed]") for kind in KINDS))
_END_MARKS = " .!,;:…-–—"

Worth = Literal["statement", "preference", "nothing"]


class Resolve(Protocol):
    """`memory.dates.resolve`."""

    def __call__(
        self, text: str, said_at: datetime, *, ahead: bool = ...
    ) -> tuple[str, datetime | None]: ...


class Extraction:
    """Keeps the statements of a message, each segment by itself or joined to the one before where
    it cannot be understood alone.

    `resolve` puts a date for "last Friday" and says which. `banks` are those that may be named,
    `default_bank` stands for all others. Messages of other `roles` give nothing, nor do those with
    fewer than `min_chars` characters, but for a clear preference (003). Of what the assistant said
    only what tells of "you" is kept.
    """

    def __init__(
        self,
        *,
        resolve: Resolve,
        banks: Sequence[str] = BANKS,
        default_bank: str = DEFAULT_BANK,
        min_chars: int = DEFAULT_MIN_CHARS,
        roles: Collection[Role] = DEFAULT_ROLES,
    ) -> None:
        self._resolve = resolve
        self._banks = banks
        self._default_bank = default_bank
        self._min_chars = min_chars
        self._roles = roles

    def worth(self, said: Said, reading: Reading) -> Worth:
        """Whether a model should look at it: not where nothing is told, and not for one short clear
        preference."""
        told = self._statements(said, reading)
        if not told:
            return "nothing"
        [first, *others] = told
        return "preference" if not others and _is_clear_preference(first) else "statement"

    def candidates(self, said: Said, reading: Reading) -> list[Candidate]:
        """What is kept of it. Blocking: a tenth of a second for a long message full of dates."""
        found: dict[str, Candidate] = {}
        for statement in self._statements(said, reading):
            candidate = self._candidate(statement, said)
            if candidate is not None:
                found.setdefault(candidate.content.casefold(), candidate)
        return list(found.values())[:MAX_CANDIDATES]

    def _statements(self, said: Said, reading: Reading) -> list[Statement]:
        if said.role not in self._roles:
            return []
        told = statements_in(reading.segments)
        if len(said.text.strip()) < self._min_chars:
            return [each for each in told if _is_clear_preference(each)]
        return told

    def _candidate(self, statement: Statement, said: Said) -> Candidate | None:
        first = statement.first
        words = as_kept(statement.text)
        if said.role != "user":
            words = as_the_user_would(words)
        ahead = first.category == "plan"
        content, occurred_at = self._resolve(words, said.said_at, ahead=ahead)
        if not 0 < len(content) <= MAX_CONTENT_CHARS or is_mostly_removed(content):
            return None
        passes = first.lifetime == "days"
        return Candidate(
            content=content,
            type=type_of(first.category),
            category=first.category,
            bank=bank_of(first.bank, self._banks, self._default_bank),
            importance=importance_of(first.category, first.lifetime, first.told),
            occurred_at=occurred_at,
            expires_at=max(occurred_at or said.said_at, said.said_at) + PASSES_AFTER
            if passes
            else None,
            asked=first.kind == "remember",
            told=statement.told,
        )


@dataclass(frozen=True)
class Statement:
    """Segments that are one memory: the first, and what cannot be understood without it."""

    segments: tuple[Segment, ...]

    @property
    def first(self) -> Segment:
        return self.segments[0]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.segments)

    @property
    def told(self) -> Told:
        """How it stands to what is known; of two that say so of one memory the first counts."""
        related = [each.related for each in self.segments if each.related is not None]
        return {memory: relations_told(each) for each in reversed(related) for memory in each.to}


def statements_in(segments: Sequence[Segment]) -> list[Statement]:
    """What is told and may be kept: nothing that is to be left out or forgotten, nor what belongs
    to that."""
    found: list[Statement] = []
    follows = False
    for each in beside(without_left_out(segments), lambda one: one.forgets):
        keeps = _is_kept(each) or (follows and _is_part_of(found[-1], each))
        if keeps and follows and not each.alone:
            found[-1] = Statement((*found[-1].segments, each))
        elif keeps:
            found.append(Statement((each,)))
        follows = keeps
    return found


def _is_part_of(statement: Statement, segment: Segment) -> bool:
    """Whether it goes on with what is told before it; a step of a procedure looks like a request
    where it stands by itself."""
    other = segment.kind in ("question", "control", "quotation")
    if segment.alone or other or is_mostly_removed(segment.text):
        return False
    return statement.first.category == "procedure" or segment.told >= PART_FROM


def _is_kept(segment: Segment) -> bool:
    talk = segment.kinds.get("small_talk", 0.0) >= TALK_FROM
    return segment.told >= KEPT_FROM and not talk and not is_mostly_removed(segment.text)


def as_kept(words: str) -> str:
    """On one line, with a capital first and no mark last, as memories are kept."""
    kept = " ".join(words.split()).rstrip(_END_MARKS)
    return kept[:1].upper() + kept[1:]


def is_mostly_removed(content: str) -> bool:
    """Whether little is left of it without its secrets."""
    rest, removed = _REMOVED.subn(" ", content)
    return removed > 0 and len(rest.split()) < _FEWEST_WORDS


def _is_clear_preference(statement: Statement) -> bool:
    first = statement.first
    short = len(statement.text) <= SHORT_CHARS and first.category == "preference"
    return short and first.told >= SURELY
