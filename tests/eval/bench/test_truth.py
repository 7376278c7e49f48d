from __future__ import annotations

from uuid import uuid4

import numpy as np
import pytest

from eval.bench.recall import BenchUser, exact_cosines, measure_overlap, overlap_with_exact
from eval.bench.workload import PrecomputedEmbedder
from eval.bulk_load import PreparedMemory, load_memories
from eval.system import System
from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL
from memory.embeddings.protocol import unit_rows
from memory.store.search import MemorySearch, VectorHit

ROWS = 80


def _person() -> tuple[BenchUser, np.ndarray]:
    rng = np.random.default_rng(3)
    vectors = unit_rows(rng.standard_normal((ROWS, LOCAL_DIMENSIONS)).astype(np.float32))
    halved = vectors.astype(np.float16).astype(np.float32)
    return BenchUser("bench:one", [uuid4() for _ in range(ROWS)], halved), vectors


def _hits(person: BenchUser, places: list[int]) -> list[VectorHit]:
    return [VectorHit(person.ids[place], 0.0) for place in places]


def test_overlap_is_the_share_of_the_true_ten() -> None:
    person, vectors = _person()
    order = np.argsort(-exact_cosines(person.vectors, vectors[0])).tolist()
    assert overlap_with_exact(_hits(person, order[:10]), person, vectors[0]) == 1.0
    assert overlap_with_exact(_hits(person, order[:5] + order[-5:]), person, vectors[0]) == 0.5
    assert overlap_with_exact(_hits(person, order[:4]), person, vectors[0]) == pytest.approx(0.4)
    assert overlap_with_exact([VectorHit(uuid4(), 1.0)], person, vectors[0]) == 0.0


async def test_the_vector_leg_is_exact_on_what_bulk_loaded(system: System) -> None:
    person, vectors = _person()
    rows = [
        PreparedMemory(item_id, f"memory {at}", vectors[at])
        for at, item_id in enumerate(person.ids)
    ]
    await load_memories(system.database, person.user_id, rows, LOCAL_MODEL)
    known = PrecomputedEmbedder(LOCAL_MODEL, LOCAL_DIMENSIONS, {"a": vectors[0], "b": vectors[1]})
    figures = await measure_overlap(MemorySearch(system.database), person, known, ["a", "b"])
    assert figures == {"overlap_with_exact": 1.0, "full_row_counts": 1.0}
    other = BenchUser("bench:nobody", person.ids, person.vectors)
    figures = await measure_overlap(MemorySearch(system.database), other, known, ["a"])
    assert figures == {"overlap_with_exact": 0.0, "full_row_counts": 0.0}
