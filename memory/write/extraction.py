"""What is worth keeping of a message, as the offline reader hears it: all that is told, unless it
is surely something else (docs/decisions/0025-offline-reader.md)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.models import BANKS, DEFAULT_BANK, Role
from memory.secrets import KINDS
from memory.understanding import Message, Reader, Segment, beside
from memory.write.banks import bank_of
from memory.write.candidates import Candidate, Said, Worth
from memory.write.importance import importance_of
from memory.write.second_person import as_the_user_would
from memory.write.types import type_of

DEFAULT_MIN_CHARS = 8
DEFAULT_ROLES: frozenset[Role] = frozenset({"user"})
MAX_CANDIDATES = 24
MAX_CONTENT_CHARS = 1000
# Losing what was told is silent, keeping too much is trimmed: chosen on conversations of others
# that were replayed (docs/decisions/0025-offline-reader.md).
KEPT_FROM = 0.16
# What passes is kept for a season, and so is what was to happen on a day.
PASSES_AFTER = timedelta(days=90)
# 003, phase 5: a preference this short and sure needs no model.
SHORT_CHARS = 60
SURELY = 0.6
_FEWEST_WORDS = 5
_REMOVED = re.compile("|".join(re.escape(f"[{kind} removed]") for kind in KINDS))
_END_MARKS = " .!,;:…-–—"

Resolve = Callable[[str, datetime], tuple[str, datetime | None]]


class OfflineExtractor:
    """Keeps the statements of a message, each segment by itself or joined to the one before where
    it cannot be understood alone.

    `resolve` puts a date for "last Friday" and says which. `banks` are those that may be named,
    `default_bank` stands for all others. Messages of other `roles` give nothing, nor do those with
    fewer than `min_chars` characters, but for a clear preference (003). Of what the assistant said
    only what tells of "you" is kept.
    """

    def __init__(
        self,
        reader: Reader,
        *,
        resolve: Resolve,
        banks: Sequence[str] = BANKS,
        default_bank: str = DEFAULT_BANK,
        min_chars: int = DEFAULT_MIN_CHARS,
        roles: Collection[Role] = DEFAULT_ROLES,
    ) -> None:
        self._reader = reader
        self._resolve = resolve
        self._banks = banks
        self._default_bank = default_bank
        self._min_chars = min_chars
        self._roles = roles

    async def extract(self, said: Said) -> list[Candidate]:
        """On a thread: a long message takes a tenth of a second."""
        return await asyncio.to_thread(self._extract, said)

    def worth(self, said: Said) -> Worth:
        """Whether a model should look at it: not where nothing is told, and not for one short clear
        preference."""
        told = self._statements(said)
        if not told:
            return "nothing"
        [first, *others] = told
        return "preference" if not others and _is_clear_preference(first) else "statement"

    def _extract(self, said: Said) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for statement in self._statements(said):
            candidate = self._candidate(statement, said)
            if candidate is not None:
                found.setdefault(candidate.content.casefold(), candidate)
        return list(found.values())[:MAX_CANDIDATES]

    def _statements(self, said: Said) -> list[Statement]:
        if said.role not in self._roles:
            return []
        reading = said.reading or self._reader.read(Message(said.text, said.said_at, said.role))
        told = statements_in(reading.segments)
        if len(said.text.strip()) < self._min_chars:
            return [each for each in told if _is_clear_preference(each)]
        return told

    def _candidate(self, statement: Statement, said: Said) -> Candidate | None:
        first = statement.first
        words = as_kept(statement.text)
        if said.role != "user":
            words = as_the_user_would(words)
        content, occurred_at = self._resolve(words, said.said_at)
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
            expires_at=(occurred_at or said.said_at) + PASSES_AFTER if passes else None,
            asked=first.kind == "remember",
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


def statements_in(segments: Sequence[Segment]) -> list[Statement]:
    """What is told and may be kept: nothing of a message that asks to be left out, nor what is to
    be forgotten and what belongs to it."""
    if any(each.leaves_out for each in segments):
        return []
    found: list[Statement] = []
    follows = False
    for each in beside(segments, lambda one: one.forgets):
        keeps = each.told >= KEPT_FROM and not is_mostly_removed(each.text)
        if keeps and follows and not each.alone:
            found[-1] = Statement((*found[-1].segments, each))
        elif keeps:
            found.append(Statement((each,)))
        follows = keeps
    return found


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
