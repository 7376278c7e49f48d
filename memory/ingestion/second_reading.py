"""A second reading of a message, with what was said before it and what is known near it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from memory.errors import EmbeddingOutdated
from memory.fingerprints import simhash64
from memory.ingestion.extraction import ExtractionInput
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import MemoryPreparer
from memory.secrets import redact_quickly
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, SimilarMemory, find_similar
from memory.store.messages import LearningQueue
from memory.types import NewMemory
from memory.understanding import EarlierMessage, Interpretation, MessageText, SecondReader

MAX_EARLIER, MAX_EARLIER_CHARS = 6, 1_000
MAX_KNOWN = 12
# A model is shown nothing that is farther from what is told, by its cosine.
_ABOUT_FROM = 0.3


class SecondReading:
    """What the reader is shown is read in transactions that are over before it is asked. Secrets
    are taken out of what was said, and a memory that holds one is not shown."""

    def __init__(self, reader: SecondReader, database: Database, preparer: MemoryPreparer) -> None:
        self._reader = reader
        self._database = database
        self._marks = LearningQueue(database)
        self._preparer = preparer

    async def read(
        self, user_id: str, space: str, said: ExtractionInput, told: Sequence[str]
    ) -> ExtractionInput:
        """The message with what the reader makes of it. It is shown the MAX_EARLIER messages before
        and the MAX_KNOWN memories nearest to one of the sentences that seem to be `told` in it.
        Raises what the reader and the store raise."""
        earlier = await self._earlier(user_id, said)
        known = await self._known(user_id, space, told)
        message = MessageText(said.text, said.said_at, said.role, earlier, known)
        reading = await self._reader.read_again(message, said.reading or Interpretation())
        return said.model_copy(update={"reading": reading})

    async def _earlier(self, user_id: str, said: ExtractionInput) -> tuple[EarlierMessage, ...]:
        if said.message_id is None:
            return ()
        earlier = await self._marks.said_before(user_id, said.message_id, MAX_EARLIER)
        return await asyncio.to_thread(
            lambda: tuple(
                EarlierMessage(role, redact_quickly(text)[:MAX_EARLIER_CHARS])
                for role, text in earlier
            )
        )

    async def _known(self, user_id: str, space: str, told: Sequence[str]) -> tuple[str, ...]:
        """None where they have no vectors that could be compared."""
        vectors = await self._preparer.vectors_of(told)
        if vectors is None:
            return ()
        new = [
            EmbeddedMemory(
                NewMemory(content=content, space=space),
                vector,
                None,
                simhash=simhash64(normalise(content)),
            )
            for content, vector in zip(told, vectors, strict=True)
        ]
        near: list[SimilarMemory] = []
        with suppress(EmbeddingOutdated):
            async with self._database.as_user(user_id) as connection:
                for each in new:
                    near += await find_similar(connection, user_id, each)
        return await asyncio.to_thread(_nearest, near)


def _nearest(near: Sequence[SimilarMemory]) -> tuple[str, ...]:
    about = [each for each in near if (each.cosine or 0.0) >= _ABOUT_FROM]
    ranked = sorted(about, key=lambda each: -(each.cosine or 0.0))
    texts = dict.fromkeys(each.item.content for each in ranked if not each.replaced)
    return tuple(each for each in islice(texts, MAX_KNOWN) if redact_quickly(each) == each)
