"""Specification 003, phase 7: near-certain duplicates, by their vectors and without them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

import numpy as np
import pytest

from memory.embeddings.protocol import Embedder, Embedding
from memory.service import MemoryService
from memory.types import NewMemory, SaveOutcome
from tests.acceptance.chat import knows
from tests.acceptance.conftest import Parts
from tests.acceptance.stores import memory_rows
from tests.memory.fakes import BrokenEmbedder, WordEmbedder, unit

# Fourteen words that carry meaning: two of them are no other statement where the vectors agree.
SHED = (
    "The wooden shed behind the old orchard holds my grandfather's lathe, two ladders, paint tins"
    " and the folding boat we repaired"
)
OTHER_WORDS = SHED.replace("lathe", "workbench").replace("folding", "collapsible")


class Angles(WordEmbedder):
    """Vectors at a chosen cosine from that of the first text; others point elsewhere."""

    def __init__(self, cosines: Mapping[str, float]) -> None:
        super().__init__()
        self._cosines = cosines

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return [self._at(text) for text in texts]

    def _at(self, text: str) -> Embedding:
        cosine = self._cosines.get(text, 0.0)
        vector = np.zeros(self.dimensions, dtype=np.float32)
        vector[0], vector[1] = cosine, np.sqrt(1 - cosine**2)
        return unit(vector)


async def keep_both(memory: MemoryService, user_id: str, first: str, second: str) -> SaveOutcome:
    await memory.remember(user_id, NewMemory(content=first))
    return await memory.remember(user_id, NewMemory(content=second))


def at(cosine: float) -> Embedder:
    return Angles({SHED: 1.0, OTHER_WORDS: cosine})


@pytest.mark.parametrize(("cosine", "kind"), [(0.98, "repeated"), (0.80, "kept")])
async def test_a_cosine_of_097_or_more_is_a_duplicate(
    parts: Parts, user_id: str, cosine: float, kind: str
) -> None:
    """embedding_similarity_threshold = 0.97; far below it the same two texts are two memories."""
    assert SequenceMatcher(None, SHED, OTHER_WORDS).ratio() < 0.95
    memory = parts.memory(embedder=at(cosine))
    outcome = await keep_both(memory, user_id, SHED, OTHER_WORDS)
    assert outcome.kind == kind
    assert len(await memory_rows(parts.database, user_id)) == (1 if kind == "repeated" else 2)


async def test_without_vectors_the_text_decides_at_095(parts: Parts, user_id: str) -> None:
    """text_similarity_threshold = 0.95, the fallback."""
    memory = parts.memory(embedder=BrokenEmbedder())
    again = SHED.replace("paint tins", "paint tin")
    assert SequenceMatcher(None, SHED.lower(), again.lower()).ratio() >= 0.95
    outcome = await keep_both(memory, user_id, SHED, again)
    assert (outcome.kind, outcome.item.repeat_count) == ("repeated", 1)


@pytest.mark.parametrize("with_vectors", [True, False])
async def test_other_texts_are_no_duplicates(
    parts: Parts, user_id: str, *, with_vectors: bool
) -> None:
    memory = parts.memory() if with_vectors else parts.memory(embedder=BrokenEmbedder())
    outcome = await keep_both(memory, user_id, SHED, "I own a red kayak")
    assert outcome.kind == "kept"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My sister Maria lives in Oslo", "My sister Marie lives in Oslo"),
        ("Ticket 12 of the archive is late", "Ticket 13 of the archive is late"),
        ("Tom likes Anna", "Anna likes Tom"),
        ("My cat is called Luna", "My dog is called Luna"),
    ],
    ids=["name", "number", "turned round", "thing"],
)
async def test_however_alike_what_says_something_else_is_kept(
    memory: MemoryService, user_id: str, first: str, second: str
) -> None:
    """A high similarity is not enough where a word that carries the sense differs."""
    await keep_both(memory, user_id, first, second)
    assert await knows(memory, user_id) == sorted([first, second])


async def test_short_preferences_are_told_apart(memory: MemoryService, user_id: str) -> None:
    """003 leaves texts below 100 characters out; here they are compared, and stay apart."""
    for text in ("I love tea", "I love teak", "I love rye", "I love rice"):
        await memory.remember(user_id, NewMemory(content=text, type="preference"))
    assert len(await knows(memory, user_id)) == 4


async def test_the_same_written_at_once_is_one_memory(parts: Parts, user_id: str) -> None:
    """Safe when two turns write at once: nine of ten writers count a repeat."""
    memory = parts.memory()
    item = NewMemory(content=SHED)
    outcomes = await asyncio.gather(*(memory.remember(user_id, item) for _ in range(10)))
    assert sorted(each.kind for each in outcomes) == ["kept"] + ["repeated"] * 9
    [row] = await memory_rows(parts.database, user_id)
    assert row["repeat_count"] == 9
