"""Learning from what was said, behind the reply."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from itertools import islice
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
from memory.fingerprints import simhash64
from memory.ingestion.claims import is_ended, new_claim
from memory.ingestion.deduplication import near_identical, same_words
from memory.ingestion.extraction import (
    ExtractionInput,
    MemoryCandidate,
    OfflineExtractor,
    is_mostly_removed,
    to_first_person,
)
from memory.ingestion.normalisation import normalise
from memory.ingestion.second_reading import SecondReading
from memory.ingestion.writer import MemoryWriter
from memory.metrics import MemoryMetrics
from memory.secrets import redact
from memory.store.messages import LearningQueue, UnlearnedMessage
from memory.text import MAX_READ_CHARS, to_readable
from memory.types import NewMemory, Origin, SaveOutcome
from memory.understanding.sentences import is_question

_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^“”]+)”|«([^«»]+)»|(?<!\w)['‘]([^\n]{1,500}?)['’](?!\w)|^[ \t]*>(.+)$",
    re.MULTILINE,
)
_MOST_QUOTES = 50


def drop_echoes(
    candidates: Sequence[MemoryCandidate], said: ExtractionInput, recalled: Sequence[str]
) -> list[MemoryCandidate]:
    """The candidates that are not one of the `recalled` memories over again.

    What the user says again in words of their own is no echo: it is a repeat, which is counted.
    What they quote is one, and so is all that was recalled in a message of somebody else.
    """
    quotes = _quotes(said.text)
    echoed = [each for each in recalled if said.role != "user" or _is_quoted(each, quotes)]
    return [each for each in candidates if not _echoes(each.content, echoed)]


def _echoes(content: str, recalled: Sequence[str]) -> bool:
    """Whether it is one of them, or holds one to the letter."""
    words = normalise(content)
    held = any(normalise(each).rstrip(" .!") in words for each in recalled)
    return held or _is_one_of(content, recalled)


def _quotes(text: str) -> list[str]:
    """What stands in quotation marks or behind ">", also as the user would say it of themselves."""
    matches = islice(_QUOTED.finditer(text), _MOST_QUOTES)
    found = [next(filter(None, match.groups())) for match in matches]
    return found + [turned for each in found if (turned := to_first_person(each))]


def _is_quoted(content: str, quotes: Sequence[str]) -> bool:
    words = normalise(content).rstrip(" .!")
    return any(words in normalise(each) or _is_one_of(each, [content]) for each in quotes)


def _is_one_of(content: str, others: Sequence[str]) -> bool:
    """Whether it is nearly one of the others, but for trivial edits."""
    return any(same_words(content, other) or _near(content, other) for other in others)


def _near(content: str, other: str) -> bool:
    ours, theirs = (simhash64(normalise(each)) for each in (content, other))
    return bool(near_identical(content, other, simhash=ours, other_simhash=theirs, cosine=None))


MAX_WAITING = 20
# What was learned from the message right before one, so shortly, may say of whom it speaks.
LEANS_WITHIN = timedelta(hours=1)
# One less than a job may be taken (`app.worker.queue`): the last one then learns from the others.
MOST_TRIES = 2
_REFUSALS = (RecentlyForgotten, SecretRefused, MemoryOff, MessageRefused, InvalidInput)
OnForgotten = Callable[[NewMemory, RecentlyForgotten], None]
_log = structlog.get_logger(__name__)


class Learner:
    """Finds what is worth keeping in a message, and keeps it. It holds no turn up and fails none:
    the words are looked at on threads, so that a reply that streams meanwhile goes on.

    The `extraction` needs no model: it says what is worth a `second` reading by one, and finds what
    to keep in either reading. The first one stands where the message is too short and clear for a
    model (003), and where that made nothing but an error of it within `extraction_timeout` seconds.
    `keeping_timeout` is for all that follows upon it, where the message was left waiting; after
    `share` seconds no further one of those is begun, so that everybody has their turn. `shortcut`
    (003) is that of the settings.
    """

    def __init__(
        self,
        marks: LearningQueue,
        extraction: OfflineExtractor,
        remember: MemoryWriter,
        counters: MemoryMetrics,
        *,
        second: SecondReading | None = None,
        extraction_timeout: float = 60.0,
        keeping_timeout: float = 60.0,
        share: float = 60.0,
        shortcut: bool = True,
    ) -> None:
        self._marks = marks
        self._extraction = extraction
        self._second = second
        self._remember = remember
        self._counters = counters
        self._extraction_timeout = extraction_timeout
        self._keeping_timeout = keeping_timeout
        self._share = share
        self._shortcut = shortcut

    def new_claim(self) -> str:
        """A name under which a message can be stored for one learner alone."""
        return new_claim()

    async def learn(
        self,
        user_id: str,
        space: str,
        said: ExtractionInput,
        *,
        origin: Origin,
        recalled: Sequence[str] = (),
        on_forgotten: OnForgotten | None = None,
        claim: str | None = None,
    ) -> list[SaveOutcome]:
        """What was kept of one message, whose learning ends here.

        It is learned from under the `claim` that it was stored with, else under one of its own;
        one that another learner has gives nothing.
        Of a long one the beginning is read (`memory.text.to_readable`). Secrets are taken out
        before anything looks at it, and what only echoes the `recalled` memories is not learned
        again; see `drop_echoes`. A message that was learned from, skipped or removed gives nothing.
        A refused candidate does not stop the others; one that was forgotten a short time ago is
        given to `on_forgotten`. Raises DatabaseUnavailable, Incognito and what keeping raises; the
        message then waits.
        """
        message_id, claim = said.message_id, claim or new_claim()
        if not await self._claims(user_id, message_id, claim):
            return []
        said = await asyncio.to_thread(_as_read, said)
        outcomes: list[SaveOutcome | None] = []
        if candidates := await self._candidates(user_id, space, said):
            if not await self._claims(user_id, message_id, claim):
                return []  # while a model was looking at it, the user said not to, or was erased
            new = await asyncio.to_thread(drop_echoes, candidates, said, recalled)
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
        claim, ended = new_claim(), await self._ended_claims(user_id)
        try:
            while len(spaces) < MAX_WAITING:
                if spaces and time.monotonic() > until:
                    break  # whoever looks for them finds the others
                message = await self._marks.claim_next(user_id, claim, ended)
                if message is None:
                    break
                spaces.append(message.space)
                await self._learn_later(user_id, message, claim)
        finally:
            await self.release(user_id, claim)
        return spaces

    async def give_up_tried(self, user_id: str) -> int:
        """Nothing more is learned from what was begun MOST_TRIES times and never finished, since
        whatever learned from it died, stood still or was too late; how many messages."""
        ended = await self._ended_claims(user_id)
        given_up = await self._marks.give_up(user_id, MOST_TRIES, ended)
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
            async with asyncio.timeout(self._extraction_timeout + self._keeping_timeout):
                yield
        except (KeepsakeError, asyncio.CancelledError):
            # One that stood still for longer than a model may take is the one to blame.
            if time.monotonic() - began <= self._extraction_timeout:
                with suppress(KeepsakeError, TimeoutError):  # it stays counted, and that is all
                    await self._marks.give_back(user_id, message_id)
            raise

    async def _learn_later(self, user_id: str, message: UnlearnedMessage, claim: str) -> None:
        origin = Origin("learning", message.correlation_id)
        said, recalled = _as_said(message), message.recalled
        try:
            async with self._tried(user_id, message.id):
                await self.learn(
                    user_id, message.space, said, origin=origin, recalled=recalled, claim=claim
                )
        except KeepsakeError:
            raise
        except TimeoutError:
            _log.warning("learning_late", message=str(message.id))
        except Exception as error:  # one that cannot be learned from does not stop the others
            _log.error("given_up", reason=type(error).__name__)
            await self._marks.learned(user_id, message.id)

    async def release(self, user_id: str, claim: str) -> None:
        """Whoever looks for messages to learn from may have what was not learned under it. Where
        that cannot be written the claim ends by itself."""
        with suppress(KeepsakeError, TimeoutError):
            await self._marks.release(user_id, claim)

    async def _ended_claims(self, user_id: str) -> list[str]:
        claims = await self._marks.claims(user_id)
        return [claim for claim in claims if claim is not None and is_ended(claim)]

    async def skip(self, user_id: str, message_id: UUID) -> None:
        """Nothing is learned from the message any more."""
        await self._marks.learned(user_id, message_id)

    async def unskip(self, user_id: str, message_id: UUID) -> None:
        """It is learned from after all, with the next that wait."""
        await self._marks.wait_again(user_id, message_id)

    async def _claims(self, user_id: str, message_id: UUID | None, claim: str) -> bool:
        return message_id is None or await self._marks.claim(user_id, message_id, claim)

    async def _candidates(
        self, user_id: str, space: str, said: ExtractionInput
    ) -> list[MemoryCandidate]:
        said = await self._with_subject(
            user_id, await asyncio.to_thread(self._extraction.read, said)
        )
        worth = await asyncio.to_thread(self._extraction.worth, said)
        if worth == "nothing":
            self._skipped("nothing to learn")
            return []
        found = await self._extraction.extract(said)
        if worth == "preference" and self._shortcut:
            self._counters.extraction_shortcuts.inc()
            self._skipped("shortcut")
        elif self._second is not None:
            found = await self._found_again(self._second, user_id, space, said, found)
        return [each for each in found if not _is_nothing(each)]

    async def _with_subject(self, user_id: str, said: ExtractionInput) -> ExtractionInput:
        """With what the user told just before, where it begins with what leans on that."""
        if said.message_id is None or not self._extraction.leans_back(said):
            return said
        earlier = await self._marks.learned_before(user_id, said.message_id, LEANS_WITHIN)
        if earlier is None:
            return said
        before = await asyncio.to_thread(self._extraction.subject_of, earlier, said.said_at)
        return said.model_copy(update={"before": before})

    def _skipped(self, reason: str) -> None:
        self._counters.model_calls_skipped.inc()
        _log.info("llm_call_skipped", reason=reason)

    async def _found_again(
        self,
        second: SecondReading,
        user_id: str,
        space: str,
        said: ExtractionInput,
        found: list[MemoryCandidate],
    ) -> list[MemoryCandidate]:
        """What is found in a second reading, else what was `found` in the first."""
        told = [each.content for each in found]
        try:
            async with asyncio.timeout(self._extraction_timeout):
                said = await second.read(user_id, space, said, told)
        except Exception as error:  # whatever a model does, nothing is lost
            self._counters.extraction_failures.inc()
            _log.warning("extracted_offline", reason=type(error).__name__)
            return found
        return await self._extraction.extract(await self._with_subject(user_id, said))

    async def _keep(
        self,
        user_id: str,
        item: NewMemory,
        found: MemoryCandidate,
        origin: Origin,
        on_forgotten: OnForgotten | None,
    ) -> SaveOutcome | None:
        try:
            return await self._remember.keep(
                user_id, item, origin, category=found.category, told=found.told
            )
        except _REFUSALS as refusal:
            _log.info("not_kept", reason=type(refusal).__name__)
            if isinstance(refusal, RecentlyForgotten) and on_forgotten is not None:
                on_forgotten(item, refusal)
            return None


def _is_nothing(found: MemoryCandidate) -> bool:
    only_asks = not found.asked and is_question(found.content)
    return only_asks or is_mostly_removed(found.content)


def _as_read(said: ExtractionInput) -> ExtractionInput:
    """Cut after its secrets are out, so that none is cut in two and missed."""
    text = to_readable(redact(to_readable(said.text, 2 * MAX_READ_CHARS)))
    reading = said.reading if text == to_readable(said.text) else None
    return said.model_copy(update={"text": text, "reading": reading})


def _as_item(space: str, said: ExtractionInput, candidate: MemoryCandidate) -> NewMemory:
    return NewMemory(
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
    )


def _as_said(message: UnlearnedMessage) -> ExtractionInput:
    return ExtractionInput(
        text=message.content, said_at=message.said_at, role=message.role, message_id=message.id
    )
