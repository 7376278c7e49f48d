"""Of a memory that no longer holds, what still does: a new text seldom speaks of all that an older
one tells (docs/decisions/0026-relations.md)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memory.embedders.protocol import Embedding
from memory.models import KeptItem
from memory.simhash import simhash64
from memory.store.memories.rests import Rest
from memory.understanding.pieces import Piece, joined, pieces_of
from memory.understanding.relations import Relations, relations_of
from memory.understanding.segments import Gaps
from memory.write.metadata import retag
from memory.write.normalise import normalise
from memory.write.novelty import Relate
from memory.write.preparing import Preparer

# So probably what goes must be over, and what stays must not be. Of several cuts the clearest is
# taken, which for each word that goes must be clearer by so much.
GOES_FROM, STAYS_BELOW, _BY_WORD = 0.5, 0.4, 0.02
# As probably a segment begins where it is cut: what stays is to be read by itself.
CUT_FROM = 0.015
# A cut costs two pairs of some 5 ms.
_MOST_CUTS = 40
_FEWEST_WORDS_LEFT = 2
# Among the first words of what goes, so long is one that says what it is about.
_SUBJECT_WORDS, _FEWEST_LETTERS = 5, 4
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class _Cut:
    """What goes of a text; `first` says that it begins with that."""

    goes: str
    stays: str
    first: bool


class Rests:
    """Cuts memories that a new one takes the place of, and embeds what stays."""

    def __init__(
        self,
        preparer: Preparer,
        gaps: Callable[[str], Gaps],
        relate: Relate = relations_of,
    ) -> None:
        self._preparer = preparer
        self._gaps = gaps
        self._relate = relate

    async def of(self, new: str, older: Sequence[KeptItem]) -> dict[KeptItem, Rest | None]:
        """Of each of the older memories what still holds beside the new text, if anything."""
        stay = [await asyncio.to_thread(self._stays, new, each.content) for each in older]
        known = [words for words in stay if words is not None]
        vectors = await self._preparer.vectors_of(known) if known else None
        embedded = dict(zip(known, vectors, strict=True)) if vectors else {}
        model = self._preparer.model if vectors else None
        return {
            item: None if words is None else _rest(item, words, embedded.get(words), model)
            for item, words in zip(older, stay, strict=True)
        }

    def _stays(self, new: str, old: str) -> str | None:
        return rest_of(new, old, pieces_of(self._gaps(old), CUT_FROM), self._relate)


def _rest(item: KeptItem, words: str, vector: Embedding | None, model: str | None) -> Rest:
    return Rest(
        item_id=item.id,
        whole=item.content,
        stays=words,
        simhash=simhash64(normalise(words)),
        tags=retag(item.tags, item.content, words),
        embedding=vector,
        embedding_model=model,
    )


def rest_of(new: str, old: str, pieces: Sequence[Piece], relate: Relate) -> str | None:
    """What of the old text still holds beside the new one, None where nothing does or it cannot be
    told apart: the cut between whose sides the model of pairs sees the clearest difference. What
    is said of a thing that is over goes with it."""
    cuts = list(_cuts(old, pieces))
    if not cuts:
        return None
    goes = relate(new, [each.goes for each in cuts])
    stays = relate(new, [each.stays for each in cuts])
    rated = [(_rating(*each), each[0]) for each in zip(cuts, goes, stays, strict=True)]
    best, cut = max(rated, key=lambda each: each[0])
    return _as_rest(new, cut) if best > 0 else None


def _cuts(old: str, pieces: Sequence[Piece]) -> Iterator[_Cut]:
    """Each run of pieces that may go, the shorter ones first."""
    count = len(pieces)
    runs = [(at, at + size) for size in range(1, count) for at in range(count - size + 1)]
    for first, end in runs[:_MOST_CUTS]:
        start, stop = pieces[first].start, pieces[end - 1].end
        stays = joined(old[:start], old[stop:])
        if len(_WORD.findall(stays)) >= _FEWEST_WORDS_LEFT:
            yield _Cut(old[start:stop].strip(), stays, first=first == 0)


def _rating(cut: _Cut, goes: Relations, stays: Relations) -> float:
    """0 for one that is not to be made."""
    over = goes.ends > goes.replaces and cut.first
    if over or goes.over < GOES_FROM or stays.over >= STAYS_BELOW:
        return 0.0
    clear = goes.over - stays.over - _BY_WORD * len(_WORD.findall(cut.goes))
    return max(clear, 1e-6)


def _as_rest(new: str, cut: _Cut) -> str:
    """With what both speak of before it, where the beginning went."""
    words = cut.stays.strip()
    stays = words[:1].upper() + words[1:]
    said = {word.casefold() for word in _WORD.findall(new)}
    opening = _WORD.findall(cut.goes)[:_SUBJECT_WORDS] if cut.first else []
    shared = [word for word in opening if len(word) >= _FEWEST_LETTERS and word.casefold() in said]
    return f"{shared[0]}: {words}" if shared else stays
