"""A table of many users: one large, one small, and the others between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID, uuid4

import numpy as np
import numpy.typing as npt

from eval.bench.sentences import Sentences
from eval.system import System
from memory.embedders.protocol import unit_rows
from memory.store.memories.bulk import Bulk, ReadyItem

TABLE_ROWS = 100_000
SMALL_ITEMS = 200
OTHER_ITEMS = 1_000
LARGE, SMALL = "bench:large", "bench:small"
# Texts that are embedded; every row's vector is one of theirs with noise of this length, which
# leaves a cosine of about 0.94 to it.
DISTINCT_TEXTS = 2_000
NOISE = 0.35
BATCH = 1_000

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Inhabitant:
    """A user's rows as the table holds them: `vectors` (rows, dimensions) rounded to half
    precision."""

    user_id: str
    ids: list[UUID]
    vectors: Matrix


class Population:
    """Fills the table with the same texts and vectors for the same seed."""

    def __init__(self, system: System, seed: int) -> None:
        self._system = system
        self._bulk = Bulk(system.database)
        self._sentences = Sentences(seed)
        self._rng = np.random.default_rng(seed)

    async def load(self, large_items: int, advance: Callable[[int], None]) -> dict[str, Inhabitant]:
        """The large and the small user; `advance` is told of every batch of rows."""
        texts = self._sentences.memories(DISTINCT_TEXTS)
        vectors = np.stack(await self._system.embedder.embed_texts(texts))
        tails = self._sentences.tails()
        kept = {}
        for user_id, count in users(large_items):
            picks = self._rng.integers(len(texts), size=count)
            contents = [f"{texts[pick]} {next(tails)}" for pick in picks]
            inhabitant = await self._fill(user_id, contents, vectors[picks], advance)
            if user_id in (LARGE, SMALL):
                kept[user_id] = inhabitant
        return kept

    async def _fill(
        self, user_id: str, contents: list[str], vectors: Matrix, advance: Callable[[int], None]
    ) -> Inhabitant:
        noisy = self._perturb(vectors)
        ids = [uuid4() for _ in contents]
        for start in range(0, len(contents), BATCH):
            end = min(start + BATCH, len(contents))
            rows = [ReadyItem(ids[at], contents[at], noisy[at]) for at in range(start, end)]
            await self._bulk.load(user_id, rows, self._system.embedder.model)
            advance(len(rows))
        return Inhabitant(user_id, ids, noisy.astype(np.float16).astype(np.float32))

    def _perturb(self, vectors: Matrix) -> Matrix:
        noise = unit_rows(self._rng.standard_normal(vectors.shape).astype(np.float32))
        return unit_rows(vectors + NOISE * noise)


def users(large_items: int) -> Iterator[tuple[str, int]]:
    """Each user and how many memories they have; at least TABLE_ROWS in all. The two that are
    measured come in the middle, so that their rows do not lie at the end of the table."""
    left = max(TABLE_ROWS - large_items - SMALL_ITEMS, 0)
    others = [
        (f"bench:other:{at}", min(OTHER_ITEMS, left - at)) for at in range(0, left, OTHER_ITEMS)
    ]
    half = len(others) // 2
    yield from others[:half]
    yield from ((LARGE, large_items), (SMALL, SMALL_ITEMS))
    yield from others[half:]
