"""Of a memory that is replaced, what still holds: a new text seldom speaks of all that an older one
tells (docs/decisions/0026-relations.md)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from memory.embeddings.protocol import Embedding
from memory.fingerprints import simhash64
from memory.ingestion.deduplication import Relate
from memory.ingestion.metadata import find_entities
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import MemoryPreparer, retag
from memory.store.remainders import FoundRemainders, Remainder
from memory.types import StoredMemory
from memory.understanding.pieces import MemoryPiece, join_pieces, split_memory
from memory.understanding.relations import Relations, relations_of
from memory.understanding.segmentation import Gaps

# So probably what goes must be over, and what stays must not be. Of several cuts the clearest is
# taken, which for each word that goes must be clearer by so much.
GOES_FROM, STAYS_BELOW, _BY_WORD = 0.5, 0.4, 0.02
# As probably a segment begins where it is cut: what stays is to be read by itself.
CUT_FROM = 0.006
# A cut costs two pairs of some 5 ms.
_MOST_CUTS = 40
_FEWEST_WORDS_LEFT = 2
# Among so many first words of what goes stands the name of whom it is about, of so many letters:
# “Ich” and “Die” have capitals too.
_SUBJECT_WORDS, _FEWEST_LETTERS = 3, 4
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class _Division:
    """What goes of a text, and what stays; `opens` says that the text begins with what goes."""

    goes: str
    stays: str
    opens: bool


class RemainderFinder:
    """Divides memories that a new one takes the place of, and embeds what stays; `gaps` as of
    `OfflineReader`. Not for use within a transaction: it asks models."""

    def __init__(
        self,
        preparer: MemoryPreparer,
        gaps: Callable[[str], Gaps],
        relate: Relate = relations_of,
    ) -> None:
        self._preparer = preparer
        self._gaps = gaps
        self._relate = relate

    async def find(self, new: str, older: Sequence[StoredMemory]) -> FoundRemainders:
        """Of each of the older memories what still holds beside the new text, if anything."""
        model = self._preparer.model
        stay = [await asyncio.to_thread(self._stays, new, each.content) for each in older]
        known = [words for words in stay if words is not None]
        vectors = await self._preparer.vectors_of(known) if known else None
        embedded = dict(zip(known, vectors, strict=True)) if vectors else {}
        return {
            (item.id, item.content): None
            if words is None
            else _remainder(item, words, embedded.get(words), model)
            for item, words in zip(older, stay, strict=True)
        }

    def _stays(self, new: str, old: str) -> str | None:
        return remaining_text(new, old, split_memory(self._gaps(old), CUT_FROM), self._relate)


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


def remaining_text(new: str, old: str, pieces: Sequence[MemoryPiece], relate: Relate) -> str | None:
    """What of the old text still holds beside the new one, None where nothing does or it cannot be
    told apart: the text is divided where the two sides stand to the new one the most differently.
    What is said of a thing that is over goes with it."""
    divisions = list(islice(_divisions(old, pieces), _MOST_CUTS))
    if not divisions:
        return None
    goes = relate(new, [each.goes for each in divisions])
    stays = relate(new, [each.stays for each in divisions])
    rated = [(_rating(*each), each[0]) for each in zip(divisions, goes, stays, strict=True)]
    best, division = max(rated, key=lambda each: each[0])
    return _by_itself(new, division) if best > 0 else None


def _divisions(old: str, pieces: Sequence[MemoryPiece]) -> Iterator[_Division]:
    """Each run of pieces may go, the shorter ones first."""
    for size in range(1, len(pieces)):
        for first in range(len(pieces) - size + 1):
            start, end = pieces[first].start, pieces[first + size - 1].end
            stays = join_pieces(old[:start], old[end:]).strip()
            if len(_WORD.findall(stays)) >= _FEWEST_WORDS_LEFT:
                yield _Division(old[start:end].strip(), stays, opens=first == 0)


def _rating(division: _Division, goes: Relations, stays: Relations) -> float:
    """0 for one that is not to be made."""
    of_what_is_over = goes.ends > goes.replaces and division.opens
    seen = goes.whole and stays.whole
    if of_what_is_over or not seen or goes.over < GOES_FROM or stays.over >= STAYS_BELOW:
        return 0.0
    clear = goes.over - stays.over - _BY_WORD * len(_WORD.findall(division.goes))
    return max(clear, 1e-6)


def _by_itself(new: str, division: _Division) -> str:
    """What stays; where the beginning went, with the name that it has in common with the new."""
    words = division.stays
    stays = words[:1].upper() + words[1:]
    if not division.opens:
        return stays
    opening = " ".join(division.goes.split()[:_SUBJECT_WORDS])
    names = [name for name in find_entities(opening) if len(name) >= _FEWEST_LETTERS]
    shared = next((name for name in names if name in find_entities(new)), None)
    return stays if shared is None else f"{shared}: {words}"
