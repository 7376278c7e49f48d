"""Learning from what was said, behind the reply. Nothing here holds a turn up or fails it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from uuid import UUID

import structlog

from memory.counters import Counters
from memory.errors import (
    InvalidInput,
    KeepsakeError,
    MemoryOff,
    MessageRefused,
    RecentlyForgotten,
    SecretRefused,
)
from memory.models import BANKS, DEFAULT_BANK, NewItem, Origin, Outcome, Role
from memory.secrets import KINDS, redact
from memory.simhash import simhash64
from memory.store.learning import LearningMarks, WaitingMessage
from memory.write.banks import bank_of
from memory.write.candidates import Candidate, Extractor, Said
from memory.write.extraction.shortcut import preference_shortcut
from memory.write.normalise import normalise
from memory.write.novelty import Neighbour, decide
from memory.write.quality import DEFAULT_MIN_CHARS, DEFAULT_ROLES, verdict
from memory.write.remember import Remember
from memory.write.types import type_of

MAX_WAITING = 20
# What 003's prompt gives a preference.
_SHORTCUT_IMPORTANCE = 0.5
_REMOVED = tuple(f"[{kind} removed]" for kind in KINDS)
_REFUSALS = (RecentlyForgotten, SecretRefused, MemoryOff, MessageRefused, InvalidInput)
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_log = structlog.get_logger(__name__)


class Learner:
    """Finds what is worth keeping in a message, and keeps it.

    `banks` and `default_bank` are those of the settings, and so are `min_chars` and `roles` (002)
    and `shortcut` (003).
    """

    def __init__(
        self,
        marks: LearningMarks,
        extractor: Extractor,
        remember: Remember,
        counters: Counters,
        *,
        extraction_timeout: float = 60.0,
        min_chars: int = DEFAULT_MIN_CHARS,
        roles: Collection[Role] = DEFAULT_ROLES,
        shortcut: bool = True,
        banks: Sequence[str] = BANKS,
        default_bank: str = DEFAULT_BANK,
    ) -> None:
        self._marks = marks
        self._extractor = extractor
        self._remember = remember
        self._counters = counters
        self._extraction_timeout = extraction_timeout
        self._min_chars = min_chars
        self._roles = roles
        self._shortcut = shortcut
        self._banks = banks
        self._default_bank = default_bank

    async def learn(
        self,
        user_id: str,
        space: str,
        said: Said,
        *,
        origin: Origin,
        recalled: Sequence[str] = (),
    ) -> list[Outcome]:
        """What was kept of one message, whose learning ends here.

        Secrets are taken out before anything looks at it, and what is nearly one of the
        `recalled` memories is not learned again. A message that was learned from, skipped or
        removed gives nothing. Where the extraction fails it gives nothing and waits; a refused
        candidate does not stop the others. Raises DatabaseUnavailable and Incognito.
        """
        message_id = said.message_id
        if message_id is not None and not await self._marks.needs_learning(user_id, message_id):
            return []
        said = said.model_copy(update={"text": redact(said.text)})
        candidates = await self._candidates(said)
        if candidates is None:
            return []
        new = [each for each in candidates if not _is_known(each.content, recalled)]
        outcomes = [await self._keep(user_id, space, said, each, origin) for each in new]
        if message_id is not None:
            await self._marks.learned(user_id, message_id)
        return [outcome for outcome in outcomes if outcome is not None]

    async def learn_waiting(self, user_id: str) -> list[str]:
        """Learns from the messages that a crash or a failed extraction left waiting, at most
        MAX_WAITING, the oldest first; the space of each."""
        waiting = await self._marks.waiting(user_id, MAX_WAITING)
        for message in waiting:
            try:
                await self._learn_later(user_id, message)
            except KeepsakeError:
                raise
            except Exception as error:  # one that cannot be learned from does not stop the others
                _log.error("not_learned", reason=type(error).__name__)
        return [message.space for message in waiting]

    async def _learn_later(self, user_id: str, message: WaitingMessage) -> None:
        origin = Origin("learning", message.correlation_id)
        await self.learn(
            user_id, message.space, _as_said(message), origin=origin, recalled=message.recalled
        )

    async def skip(self, user_id: str, message_id: UUID) -> None:
        """Nothing is learned from the message any more."""
        await self._marks.learned(user_id, message_id)

    async def _candidates(self, said: Said) -> list[Candidate] | None:
        """None where the extraction failed."""
        worth = verdict(said.text, role=said.role, min_chars=self._min_chars, roles=self._roles)
        can_be_short = worth.worth or worth.reason == "too short"
        if can_be_short and (short := self._preference(said.text)):
            self._counters.extraction_shortcuts.inc()
            self._counters.model_calls_skipped.inc()
            return [short]
        if not worth.worth:
            self._counters.model_calls_skipped.inc()
            return []
        return await self._extract(said)

    async def _extract(self, said: Said) -> list[Candidate] | None:
        try:
            async with asyncio.timeout(self._extraction_timeout):
                found = await self._extractor.extract(said)
        except Exception as error:  # whatever an extractor raises, the message can wait
            _log.warning("extraction_failed", reason=type(error).__name__)
            return None
        return [each for each in found if not any(mark in each.content for mark in _REMOVED)]

    def _preference(self, text: str) -> Candidate | None:
        content = preference_shortcut(text) if self._shortcut else None
        if content is None:
            return None
        return Candidate(
            content=content,
            type=type_of(content, "preference"),
            category="preference",
            bank=bank_of(content, "preference", self._banks, self._default_bank),
            importance=_SHORTCUT_IMPORTANCE,
        )

    async def _keep(
        self, user_id: str, space: str, said: Said, candidate: Candidate, origin: Origin
    ) -> Outcome | None:
        item = NewItem(
            content=candidate.content,
            type=candidate.type,
            space=space,
            bank=candidate.bank,
            role=said.role,
            importance=candidate.importance,
            source_message_id=said.message_id,
            occurred_at=candidate.occurred_at,
        )
        try:
            return await self._remember.keep(user_id, item, origin, category=candidate.category)
        except _REFUSALS as refusal:
            _log.info("not_kept", reason=type(refusal).__name__)
            return None


def _is_known(content: str, recalled: Sequence[str]) -> bool:
    """Whether it is one of the recalled memories over again, but for trivial edits."""
    simhash = simhash64(normalise(content))
    known = [_recalled(number, other) for number, other in enumerate(recalled)]
    return decide(content, simhash, known).why in {"text", "simhash"}


def _recalled(number: int, content: str) -> Neighbour:
    return Neighbour(
        id=UUID(int=number),
        content=content,
        simhash=simhash64(normalise(content)),
        cosine=None,
        pinned=False,
        manually_saved=False,
        created_at=_LONG_AGO,
        occurred_at=None,
        replaced=False,
    )


def _as_said(message: WaitingMessage) -> Said:
    return Said(
        text=message.content, said_at=message.created_at, role=message.role, message_id=message.id
    )
