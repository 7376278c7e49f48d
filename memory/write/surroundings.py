"""What a message is read with by a model: what was said before it, and what is known near it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.errors import EmbeddingOutdated
from memory.models import NewItem
from memory.secrets import redact
from memory.simhash import simhash64
from memory.store.conversations.learning import LearningMarks
from memory.store.memories.items import EmbeddedItem
from memory.store.memories.neighbours import StoredNeighbour, find_neighbours
from memory.understanding import EarlierMessage, KnownMemory, Message
from memory.write.candidates import Said
from memory.write.normalise import normalise
from memory.write.preparing import Preparer

EARLIER, EARLIER_CHARS = 6, 1_000
KNOWN = 12
_log = structlog.get_logger(__name__)


class Surroundings:
    """Reads them in transactions of their own, which are over before anything is asked of a
    network. Whatever secrets still stand in them are taken out."""

    def __init__(self, database: Database, preparer: Preparer) -> None:
        self._database = database
        self._marks = LearningMarks(database)
        self._preparer = preparer

    async def around(
        self, user_id: str, space: str, said: Said, contents: Sequence[str]
    ) -> Message:
        """The message with the EARLIER ones of its conversation, and the KNOWN memories that are
        nearest to one of the `contents`, which is what seems to be told in it; no memories where
        these have no vectors. Raises DatabaseUnavailable and Incognito."""
        earlier = await self._earlier(user_id, said)
        known = await self._known(user_id, space, contents)
        return await asyncio.to_thread(
            lambda: Message(
                said.text,
                said.said_at,
                said.role,
                tuple(EarlierMessage(each.role, _bare(each.text)) for each in earlier),
                tuple(each for each in known if redact(each.text) == each.text),
            )
        )

    async def _earlier(self, user_id: str, said: Said) -> list[EarlierMessage]:
        if said.message_id is None:
            return []
        return await self._marks.said_before(user_id, said.message_id, EARLIER)

    async def _known(self, user_id: str, space: str, contents: Sequence[str]) -> list[KnownMemory]:
        vectors = await self._preparer.vectors_of(contents)
        if vectors is None:
            return []
        try:
            near = await self._near(user_id, space, contents, vectors)
        except EmbeddingOutdated:
            _log.info("read_without_memories", reason="EmbeddingOutdated")
            return []
        nearest: dict[KnownMemory, float] = {}
        for each in near:
            known = KnownMemory(each.item.id, each.item.content)
            nearest[known] = max(each.cosine or 0.0, nearest.get(known, 0.0))
        return sorted(nearest, key=lambda each: -nearest[each])[:KNOWN]

    async def _near(
        self,
        user_id: str,
        space: str,
        contents: Sequence[str],
        vectors: Sequence[Embedding],
    ) -> list[StoredNeighbour]:
        """Those that hold, of all of them together."""
        simhashes = await asyncio.to_thread(
            lambda: [simhash64(normalise(each)) for each in contents]
        )
        found: list[StoredNeighbour] = []
        async with self._database.as_user(user_id) as connection:
            for content, vector, simhash in zip(contents, vectors, simhashes, strict=True):
                item = NewItem(content=content, space=space)
                new = EmbeddedItem(item, vector, None, simhash=simhash)
                found += await find_neighbours(connection, user_id, new)
        return [each for each in found if not each.replaced]


def _bare(text: str) -> str:
    """Without its secrets, and so much of it."""
    return redact(text)[:EARLIER_CHARS]
