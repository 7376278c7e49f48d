"""The extraction that needs no model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from memory.models import BANKS, DEFAULT_BANK, Role
from memory.write.candidates import Candidate, Category, Said
from memory.write.extraction.reading import Reading, read
from memory.write.extraction.second_person import as_the_user_would
from memory.write.quality import DEFAULT_MIN_CHARS, DEFAULT_ROLES, verdict
from memory.write.types import type_of

MAX_CANDIDATES = 12
MAX_CONTENT_CHARS = 1000

Resolve = Callable[[str, datetime], tuple[str, datetime | None]]
BankOf = Callable[[str, Category, Sequence[str], str], str]


class RuleExtractor:
    """Finds what is worth keeping by the tables of `refusals` and `patterns`.

    `resolve` puts a date for "last Friday" and says which; `bank_of` chooses among `banks`.
    `min_chars` and `roles` are those of `quality.verdict`. At most MAX_CANDIDATES a message.
    Of what is not the user's own message, only what it says of "you" is read.
    """

    def __init__(
        self,
        *,
        resolve: Resolve,
        bank_of: BankOf,
        banks: Sequence[str] = BANKS,
        default_bank: str = DEFAULT_BANK,
        min_chars: int = DEFAULT_MIN_CHARS,
        roles: Collection[Role] = DEFAULT_ROLES,
    ) -> None:
        self._resolve = resolve
        self._bank_of = bank_of
        self._banks = banks
        self._default_bank = default_bank
        self._min_chars = min_chars
        self._roles = roles

    async def extract(self, said: Said) -> list[Candidate]:
        """On a thread: a long message takes a tenth of a second, and so does the first of all."""
        return await asyncio.to_thread(self._extract, said)

    def _extract(self, said: Said) -> list[Candidate]:
        text = said.text if said.role == "user" else as_the_user_would(said.text)
        allowed = verdict(text, role=said.role, min_chars=self._min_chars, roles=self._roles)
        short = allowed.reason == "too short"
        if not (allowed.worth or short):
            return []
        candidates: dict[str, Candidate] = {}
        for reading in read(text):
            if short and not _is_preference(reading):
                continue
            candidate = self._candidate(reading, said.said_at)
            if candidate is not None and len(candidates) < MAX_CANDIDATES:
                candidates.setdefault(candidate.content.casefold(), candidate)
        return list(candidates.values())

    def _candidate(self, reading: Reading, said_at: datetime) -> Candidate | None:
        rule = reading.rule
        if rule is None:
            return None
        content, occurred_at = self._resolve(reading.clause, said_at)
        if not 0 < len(content) <= MAX_CONTENT_CHARS:
            return None
        return Candidate(
            content=content,
            type=type_of(content, rule.category),
            category=rule.category,
            bank=self._bank_of(content, rule.category, self._banks, self._default_bank),
            importance=rule.importance,
            occurred_at=occurred_at,
        )


def _is_preference(reading: Reading) -> bool:
    """A short clear preference passes whatever its length: "I like tea" (003)."""
    return reading.rule is not None and reading.rule.category == "preference"
