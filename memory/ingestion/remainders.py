"""Of a memory that is replaced, what still holds: a new text seldom speaks of all that an older one
tells (docs/decisions/0026-relations.md)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from memory.embeddings.protocol import Embedding
from memory.fingerprints import simhash64
from memory.ingestion.deduplication import says_no_more
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import MemoryPreparer, retag
from memory.store.remainders import FoundRemainders, Remainder
from memory.types import StoredMemory
from memory.understanding.outdated import OutdatedWords, load_outdated_reader
from memory.understanding.types import SENTENCE_ENDS

# So probably it is these words that hold no more that the others stay.
_TOLD_FROM = 0.1
_FEWEST_WORDS_LEFT = 3
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
JOINING, _CLOSING = " ,;:–—-", ",;:.!?…)"
ReadOutdated: TypeAlias = Callable[[str, str], OutdatedWords | None]


class RemainderFinder:
    """Divides memories that a new one takes the place of, and embeds what stays. Not for use within
    a transaction: it asks models."""

    def __init__(self, preparer: MemoryPreparer) -> None:
        self._preparer = preparer

    async def find(self, new: str, older: Sequence[StoredMemory]) -> FoundRemainders:
        """Of each of the older memories what still holds beside the new text, if anything."""
        model = self._preparer.model
        stay = [await asyncio.to_thread(remaining_text, new, each.content) for each in older]
        known = [words for words in stay if words is not None]
        vectors = await self._preparer.vectors_of(known) if known else None
        embedded = dict(zip(known, vectors, strict=True)) if vectors else {}
        return {
            (item.id, item.content): None
            if words is None
            else _remainder(item, words, embedded.get(words), model)
            for item, words in zip(older, stay, strict=True)
        }


def _remainder(item: StoredMemory, words: str, vector: Embedding | None, model: str) -> Remainder:
    return Remainder(
        item_id=item.id,
        whole=item.content,
        stays=words,
        simhash=simhash64(normalise(words)),
        tags=retag(item.tags, item.content, words),
        embedding=vector,
        embedding_model=None if vector is None else model,
    )


def read_outdated(new: str, old: str) -> OutdatedWords | None:
    """Blocking; a third of a second for the first of all."""
    return load_outdated_reader().read(new, old)


def remaining_text(new: str, old: str, read: ReadOutdated = read_outdated) -> str | None:
    """What of the old text still holds beside the new one; None where nothing stays that the new
    one does not say, or it cannot be told apart."""
    outdated = read(new, old)
    if outdated is None or outdated.told < _TOLD_FROM:
        return None
    stays = text_without(old, outdated.start, outdated.end)
    words = _WORD.findall(stays)
    if len(words) < _FEWEST_WORDS_LEFT or words == _WORD.findall(old) or says_no_more(stays, new):
        return None
    return stays


def text_without(text: str, start: int, end: int) -> str:
    """The rest as one text, without the marks that joined it to what goes."""
    stays = _join(text[:start], text[end:]).strip(JOINING)
    return stays[:1].upper() + stays[1:] if text[:1].isupper() else stays


def _join(before: str, after: str) -> str:
    before, after = before.strip(), after.strip()
    if not before or before[-1:] in SENTENCE_ENDS:
        return f"{before} {after.lstrip(JOINING + SENTENCE_ENDS)}".strip()
    if after[:1] in _CLOSING:
        return f"{before.rstrip(JOINING)}{after}"
    return f"{before} {after}"
