"""The proof that a memory was forgotten: its tombstone's digests, what was removed, and searches
that find nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

import numpy as np

from memory.actions.forgetting.redaction import episode_texts, split_into_sentences
from memory.embeddings.protocol import Embedding
from memory.errors import InvalidInput, NotFound
from memory.fingerprints import (
    NEAR_DUPLICATE_BITS,
    KeyedDigester,
    hamming_distance,
    sketch_similarity,
)
from memory.ingestion.normalisation import normalise
from memory.retrieval.hybrid_search import MemoryHybridSearch
from memory.retrieval.query import prepare_query
from memory.store.erasure import ErasureProofStore, StoredText, TombstoneRecord
from memory.store.forgetting import TombstoneDigests
from memory.store.search import SearchScope
from memory.types import StoredEpisode


class TombstoneDigester:
    """Makes the keyed digests of a text in its normalised form, and of its vector where it has
    one."""

    def __init__(self, digester: KeyedDigester) -> None:
        self._digester = digester

    def __call__(self, content: str, embedding: Embedding | None) -> TombstoneDigests:
        normalised = normalise(content)
        sketch = None
        if embedding is not None:
            sketch = self._digester.sketch(np.asarray(embedding, dtype=np.float32))
        return TombstoneDigests(
            self._digester.text(normalised), self._digester.simhash(normalised), sketch
        )


SAME_MEMORY_COSINE = 0.97
"""From here on two memories are the same (003); the sketch's standard error is 0.01."""


@dataclass(frozen=True)
class ProofProbe:
    """What the search for a memory's marks looked through, and what it found.

    `worded_alike` are the memories of the same words, `alike_memories` those and the ones of the
    same meaning. `best_similarity` is the highest cosine that the sketches of the memories that are
    still there let expect; None where there is nothing to compare.
    """

    memories: int = 0
    messages: int = 0
    worded_alike: int = 0
    alike_memories: int = 0
    alike_messages: int = 0
    episodes: int = 0
    alike_episodes: int = 0
    best_similarity: float | None = None


@dataclass(frozen=True)
class ProofRecall:
    """A recall for the words that used to find it: how many memories each leg brought, None where
    the leg did not answer, and whether it was among them."""

    keyword: int | None
    vector: int | None
    found: bool


@dataclass(frozen=True)
class ErasureProof:
    """`row_is_there` until the erasure; `recalled` where words were given to search with."""

    grave: TombstoneRecord
    row_is_there: bool
    probe: ProofProbe
    recalled: ProofRecall | None

    @property
    def holds(self) -> bool:
        """Whether it is erased and nothing of it was found anywhere; conversations that were to be
        kept as they are do not count."""
        nothing_said = self.grave.history == "keep" or not self.probe.alike_messages
        gone = self.grave.erased_at is not None and not self.row_is_there
        found = self.recalled is not None and self.recalled.found
        left = self.probe.alike_memories or self.probe.alike_episodes
        return gone and not left and nothing_said and not found


class ErasureProver:
    """Proves that something was forgotten: what was removed, and searches that find nothing."""

    def __init__(
        self, store: ErasureProofStore, legs: MemoryHybridSearch, digester: KeyedDigester
    ) -> None:
        self._store = store
        self._legs = legs
        self._digester = digester
        self._marker = TombstoneDigester(digester)

    async def prove(self, user_id: str, item_id: UUID, words: str | None = None) -> ErasureProof:
        """Looks for a forgotten memory in everything that its space holds: what another space knows
        is known there.

        The two searches that used to find it are run again without its words, which are gone: for
        the words by their digest and SimHash, for the meaning by the sketch of its vector, each
        over every memory and not only the best hits. With `words` a recall is run besides. Raises
        NotFound for what was never forgotten, or was brought back.
        """
        grave = await self._store.read_grave(user_id, item_id)
        probe = ProofProbe()
        async for memories in self._store.memories(user_id, grave.space):
            probe = await asyncio.to_thread(self._among_memories, probe, grave, memories)
        async for messages in self._store.messages(user_id, grave.space):
            probe = await asyncio.to_thread(self._among_messages, probe, grave, messages)
        episodes = await self._store.episodes(user_id, grave.space)
        probe = await asyncio.to_thread(self._among_episodes, probe, grave, episodes)
        recalled = None
        if words is not None and (query := prepare_query(words)):
            scope = SearchScope(user_id, datetime.now(UTC), space=grave.space)
            recalled = await self._recall(scope, query, item_id)
        there = await self._store.row_is_there(user_id, item_id)
        return ErasureProof(grave, there, probe, recalled)

    async def named(self, user_id: str, beginning: str) -> UUID:
        """The forgotten memory whose id begins so; without a beginning the one that was forgotten
        last. Raises NotFound where there is none, and InvalidInput where it may be several."""
        found = await self._store.named(user_id, beginning.casefold())
        if not found:
            raise NotFound
        if beginning and len(found) > 1:
            raise InvalidInput(reason=f"Several ids begin with {beginning}; give more of it.")
        return found[0]

    async def _recall(self, scope: SearchScope, query: str, item_id: UUID) -> ProofRecall:
        found = await self._legs.run(scope, query)
        ids = {hit.id for leg in (found.keyword, found.vector) if leg for hit in leg}
        counts = [None if leg is None else len(leg) for leg in (found.keyword, found.vector)]
        return ProofRecall(counts[0], counts[1], item_id in ids)

    def _among_memories(
        self, probe: ProofProbe, grave: TombstoneRecord, memories: Sequence[StoredText]
    ) -> ProofProbe:
        marks = [self._marker(each.text, each.embedding) for each in memories]
        near = [found for each in marks if (found := sketch_cosine(each, grave.marks)) is not None]
        if probe.best_similarity is not None:
            near.append(probe.best_similarity)
        return replace(
            probe,
            memories=probe.memories + len(memories),
            worded_alike=probe.worded_alike
            + sum(same_wording(each, grave.marks) for each in marks),
            alike_memories=probe.alike_memories
            + sum(same_memory(each, grave.marks) for each in marks),
            best_similarity=max(near, default=None),
        )

    def _among_messages(
        self, probe: ProofProbe, grave: TombstoneRecord, messages: Sequence[str]
    ) -> ProofProbe:
        return replace(
            probe,
            messages=probe.messages + len(messages),
            alike_messages=probe.alike_messages
            + sum(self._is_said(said, grave) for said in messages),
        )

    def _among_episodes(
        self, probe: ProofProbe, grave: TombstoneRecord, episodes: Sequence[StoredEpisode]
    ) -> ProofProbe:
        held = [
            any(self._is_said(text, grave) for text in episode_texts(each)) for each in episodes
        ]
        return replace(probe, episodes=len(episodes), alike_episodes=sum(held))

    def _is_said(self, text: str, grave: TombstoneRecord) -> bool:
        """As a whole, or in one of its sentences."""
        parts = (text, *split_into_sentences(text))
        return any(same_memory(self._marker(part, None), grave.marks) for part in parts)


def same_wording(one: TombstoneDigests, other: TombstoneDigests) -> bool:
    """The same words, or a keyed SimHash at most three bits apart."""
    return (
        one.text == other.text
        or hamming_distance(one.simhash, other.simhash) <= NEAR_DUPLICATE_BITS
    )


def same_memory(one: TombstoneDigests, other: TombstoneDigests) -> bool:
    """Worded alike, or the same sketch but for its error."""
    if same_wording(one, other):
        return True
    near = sketch_cosine(one, other)
    return near is not None and near >= SAME_MEMORY_COSINE


def sketch_cosine(one: TombstoneDigests, other: TombstoneDigests) -> float | None:
    """The cosine that two sketches let expect; None where one is missing or of another length."""
    if one.sketch is None or other.sketch is None or len(one.sketch) != len(other.sketch):
        return None
    return sketch_similarity(one.sketch, other.sketch)
