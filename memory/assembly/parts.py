"""What every memory of a program is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.counters import Counters
from memory.digests import Digester
from memory.embedders.cached import CachedEmbedder
from memory.embedders.protocol import Embedder
from memory.recall.choice.reranking import Reranker
from memory.settings import Settings
from memory.store.privacy_marks import PrivacyMarks
from memory.tokens import TokenCounter
from memory.upkeep.copies import CachedVectors
from memory.write.candidates import Extractor
from memory.write.reader import Reader


@dataclass(frozen=True)
class Parts:
    """`reranker` is asked for a second opinion where there is one."""

    embedder: Embedder
    counter: TokenCounter
    settings: Settings
    digester: Digester
    extractor: Extractor
    counters: Counters
    reader: Reader
    privacy_marks: PrivacyMarks
    reranker: Reranker | None = None


class NothingCached:
    """CachedVectors of an embedder that caches none."""

    async def forget(self, texts: Sequence[str]) -> bool:
        return True


def cached_vectors(embedder: Embedder) -> CachedVectors:
    return embedder if isinstance(embedder, CachedEmbedder) else NothingCached()


def uncached(embedder: Embedder) -> Embedder:
    return embedder.inner if isinstance(embedder, CachedEmbedder) else embedder
