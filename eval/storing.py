"""A corpus in the store, as a user of its own."""

from __future__ import annotations

from dataclasses import dataclass

from eval.corpus import Corpus
from eval.system import System

_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class StoredCorpus:
    """`covers` says by item id what evidence each memory holds."""

    user_id: str
    covers: dict[str, frozenset[str]]

    @property
    def reachable(self) -> frozenset[str]:
        """The evidence that any of the memories holds."""
        return _NOTHING.union(*self.covers.values())


async def store_corpus(system: System, view: str, corpus: Corpus) -> StoredCorpus:
    """Keeps the pieces of a corpus. Raises VectorsMissing."""
    user_id = f"eval:{view}:{corpus.name}"
    ids = await system.store(user_id, [piece.as_new_item() for piece in corpus.pieces])
    stored = zip(ids, corpus.pieces, strict=True)
    return StoredCorpus(user_id, {str(item_id): piece.evidence for item_id, piece in stored})
