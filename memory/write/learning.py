"""Learning from what was said, behind the reply. Nothing here holds a turn up or fails it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import structlog

from memory.errors import (
    InvalidInput,
    KeepsakeError,
    MemoryOff,
    MessageRefused,
    RecentlyForgotten,
    SecretRefused,
)
from memory.models import NewItem, Origin, Outcome
from memory.secrets import redact
from memory.store.conversations.learning import LearningMarks, WaitingMessage
from memory.text import MOST_READ, readable
from memory.write.candidates import Candidate, Said
from memory.write.echoes import without_echoes
from memory.write.hearing import Hearing
from memory.write.remember import Remember

MAX_WAITING = 20
# One less than a job may be taken (`app.work.attempts`): the last one then learns from the others.
MOST_TRIES = 2
_REFUSALS = (RecentlyForgotten, SecretRefused, MemoryOff, MessageRefused, InvalidInput)
OnForgotten = Callable[[NewItem, RecentlyForgotten], None]
_log = structlog.get_logger(__name__)


class Learner:
    """Keeps what is heard in a message.

    `keeping_timeout` is for all but what a model may take, where the message was left waiting;
    after `share` seconds no further one of those is begun, so that everybody has their turn.
    """

    def __init__(
        self,
        marks: LearningMarks,
        hearing: Hearing,
        remember: Remember,
        *,
        keeping_timeout: float = 60.0,
        share: float = 60.0,
    ) -> None:
        self._marks = marks
        self._hearing = hearing
        self._remember = remember
        self._keeping_timeout = keeping_timeout
        self._share = share

    async def learn(
        self,
        user_id: str,
        space: str,
        said: Said,
        *,
        origin: Origin,
        recalled: Sequence[str] = (),
        on_forgotten: OnForgotten | None = None,
    ) -> list[Outcome]:
        """What was kept of one message, whose learning ends here.

        Of a long one the beginning is read (`memory.text.readable`). Secrets are taken out before
        anything looks at it, and what only echoes the `recalled`
        memories is not learned again; see `without_echoes`. A message that was learned from,
        skipped or removed gives nothing. A refused candidate does not stop the others; one that
        was forgotten a short time ago is given to `on_forgotten`. Raises
        DatabaseUnavailable, Incognito and what the rules raise; the message then waits.
        """
        message_id = said.message_id
        if not await self._waits(user_id, message_id):
            return []
        said = await asyncio.to_thread(_as_read, said)
        outcomes: list[Outcome | None] = []
        if candidates := await self._hearing.hear(user_id, space, said):
            if not await self._waits(user_id, message_id):
                return []  # while a model was looking at it, the user said not to, or was erased
            new = await asyncio.to_thread(without_echoes, candidates, said, recalled)
            items = [(_as_item(space, said, each), each) for each in new]
            outcomes = [await self._keep(user_id, *each, origin, on_forgotten) for each in items]
        if message_id is not None:
            await self._marks.learned(user_id, message_id)
        return [outcome for outcome in outcomes if outcome is not None]

    async def learn_waiting(self, user_id: str) -> list[str]:
        """Learns from the messages that a crash left waiting, at most MAX_WAITING and for no longer
        than its share, the oldest first; the space of each. One that fails again is given up, one
        that is late is tried once more, and the next have their turn."""
        until = time.monotonic() + self._share
        spaces: list[str] = []
        for message in await self._marks.waiting(user_id, MAX_WAITING):
            if spaces and time.monotonic() > until:
                break  # whoever looks for them finds the others
            spaces.append(message.space)
            try:
                async with self._tried(user_id, message.id):
                    await self._learn_later(user_id, message)
            except KeepsakeError:
                raise
            except TimeoutError:
                _log.warning("learning_late", message=str(message.id))
            except Exception as error:  # one that cannot be learned from does not stop the others
                _log.error("given_up", reason=type(error).__name__)
                await self._marks.learned(user_id, message.id)
        return spaces

    async def give_up_tried(self, user_id: str) -> int:
        """Nothing more is learned from what was begun MOST_TRIES times and never finished, since
        whatever learned from it died, stood still or was too late; how many messages."""
        given_up = await self._marks.give_up(user_id, MOST_TRIES)
        for message_id in given_up:
            _log.error("given_up", message=str(message_id), reason="never finished")
        return len(given_up)

    @asynccontextmanager
    async def _tried(self, user_id: str, message_id: UUID) -> AsyncIterator[None]:
        """Counts the try before it begins, and not where it ends for another reason: what it needs
        is away, or the program ends. Raises TimeoutError for one that does not end."""
        await self._marks.begin(user_id, message_id)
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._hearing.longest + self._keeping_timeout):
                yield
        except (KeepsakeError, asyncio.CancelledError):
            # One that stood still for longer than a model may take is the one to blame.
            if time.monotonic() - began <= self._hearing.longest:
                with suppress(KeepsakeError, TimeoutError):  # it stays counted, and that is all
                    await self._marks.give_back(user_id, message_id)
            raise

    async def _learn_later(self, user_id: str, message: WaitingMessage) -> None:
        origin = Origin("learning", message.correlation_id)
        await self.learn(
            user_id, message.space, _as_said(message), origin=origin, recalled=message.recalled
        )

    async def skip(self, user_id: str, message_id: UUID) -> None:
        """Nothing is learned from the message any more."""
        await self._marks.learned(user_id, message_id)

    async def _waits(self, user_id: str, message_id: UUID | None) -> bool:
        return message_id is None or await self._marks.needs_learning(user_id, message_id)

    async def _keep(
        self,
        user_id: str,
        item: NewItem,
        found: Candidate,
        origin: Origin,
        on_forgotten: OnForgotten | None,
    ) -> Outcome | None:
        try:
            return await self._remember.keep(
                user_id, item, origin, category=found.category, told=found.told
            )
        except _REFUSALS as refusal:
            _log.info("not_kept", reason=type(refusal).__name__)
            if isinstance(refusal, RecentlyForgotten) and on_forgotten is not None:
                on_forgotten(item, refusal)
            return None


def _as_read(said: Said) -> Said:
    """Cut after its secrets are out, so that none is cut in two and missed."""
    text = readable(redact(readable(said.text, 2 * MOST_READ)))
    reading = said.reading if text == readable(said.text) else None
    return said.model_copy(update={"text": text, "reading": reading})


def _as_item(space: str, said: Said, candidate: Candidate) -> NewItem:
    return NewItem(
        content=candidate.content,
        type=candidate.type,
        space=space,
        bank=candidate.bank,
        role=said.role,
        importance=candidate.importance,
        source_message_id=said.message_id,
        occurred_at=candidate.occurred_at,
        expires_at=candidate.expires_at,
        manually_saved=candidate.asked,
        heard=candidate.heard,
    )


def _as_said(message: WaitingMessage) -> Said:
    return Said(
        text=message.content, said_at=message.created_at, role=message.role, message_id=message.id
    )
