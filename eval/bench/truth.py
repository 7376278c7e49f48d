"""Whether the vector leg returns the true nearest memories, all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
import numpy.typing as npt

from eval.bench.known_embedder import KnownEmbedder
from eval.bench.population import Inhabitant
from eval.measures.metrics import mean, share
from eval.measures.summary import Figures
from memory.embedders.protocol import Embedding
from memory.recall.search.legs import POOL
from memory.store.memories.search import Scope, Search, VectorHit

TOP = 10
# Two sums of the same 384 products in another order differ by so much.
TIE = 1e-5

Matrix = npt.NDArray[np.float32]


async def compare(
    search: Search, person: Inhabitant, known: KnownEmbedder, questions: Sequence[str]
) -> Figures:
    """The mean share of the true ten among the first ten returned, and the share of questions
    for which the leg filled its pool."""
    scope = Scope(person.user_id, datetime.now(UTC))
    pool = min(POOL, len(person.ids))
    overlaps, full = [], []
    for question in questions:
        query = await known.embed_query(question)
        hits = await search.search_by_vector(scope, query, POOL)
        overlaps.append(overlap(hits[:TOP], person, query))
        full.append(len(hits) == pool)
    return {"overlap_with_exact": mean(overlaps), "full_row_counts": share(full)}


def overlap(hits: Sequence[VectorHit], person: Inhabitant, query: Embedding) -> float:
    """A returned memory counts where its exact cosine reaches that of the true tenth."""
    cosines = exact_cosines(person.vectors, query)
    count = min(TOP, len(cosines))
    tenth = np.sort(cosines)[-count]
    place: dict[UUID, int] = {item_id: at for at, item_id in enumerate(person.ids)}
    found = {hit.id for hit in hits if hit.id in place}
    return sum(bool(cosines[place[item_id]] >= tenth - TIE) for item_id in found) / count


def exact_cosines(vectors: Matrix, query: Embedding) -> Matrix:
    """Of every row, over the half-precision numbers that the database holds."""
    halved = query.astype(np.float16).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(halved)
    return np.asarray(vectors @ halved / lengths, dtype=np.float32)
