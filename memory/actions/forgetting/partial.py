"""Forgetting a part of a memory: which part a wish names, where the memory is cut, and what
stays."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from uuid import UUID

from memory.actions.forgetting.proof import same_wording, sketch_cosine
from memory.actions.matching import RELATIONSHIP, QueryWord
from memory.embeddings.protocol import BestEffortEmbedder, Embedder
from memory.fingerprints import simhash64
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import retag
from memory.store.forgetting import (
    MIN_SKETCH_SIMILARITY,
    ComputeDigests,
    PartialForgetting,
    PartialForgettingStore,
)
from memory.store.memory_entries import MemoryEntryStore
from memory.text import to_first_person
from memory.types import StoredMemory
from memory.understanding import OfflineReader
from memory.understanding.pieces import MemoryPiece, join_pieces, split_memory

_FEWEST_WORDS_LEFT = 3
# What the first words of a memory are about, and how much the first piece has to tell of it.
_SUBJECT_WORDS = 3
_FEWEST_TOLD = 3
_WORD = re.compile(r"\w+(?:['’]\w+)*")


Lexemes = Set[str]


@dataclass(frozen=True)
class MemoryCut:
    """What goes of a memory, and what stays."""

    goes: str
    stays: str


@dataclass(frozen=True)
class PieceWords:
    """What a piece of a memory tells, as lexemes; of the first piece also its first word
    (`opening`), and the names and titles that stand right after it."""

    held: Lexemes
    opening: Lexemes = frozenset()
    names: Lexemes = frozenset()


def opening_subject(text: str) -> tuple[str, str]:
    """The first word of a memory, and the names and titles among those right after it, of the text
    of its first piece."""
    words = text.split()[:_SUBJECT_WORDS]
    named = [word for word in words[1:] if _is_name(word) or RELATIONSHIP.fullmatch(word)]
    return words[0], " ".join(named)


def removed_text(cut: MemoryCut, opening: tuple[str, str]) -> str:
    """What goes as it would be said again by itself: with the names that the memory opens with."""
    first, names = opening
    return f"{first} {names} {cut.goes}" if names else cut.goes


def _is_name(word: str) -> bool:
    """By its capital letter; “I” is none."""
    return word[:1].isupper() and word[1:2].isalpha()


def cut_memory(
    words: Sequence[QueryWord], text: str, pieces: Sequence[MemoryPiece], told: Sequence[PieceWords]
) -> MemoryCut | None:
    """What of the text goes with a wish of these words: from the first piece that holds one to the
    sure end after the last; `told` is of each piece. None where it goes whole.

    Who the first piece is about may be named to say whose it is: that alone does not take it.
    """
    places = _meant(words, told)
    if not places or places[0] == 0:
        return None
    start = pieces[places[0]].start
    end = next((each.start for each in pieces[places[-1] + 1 :] if each.sure), len(text))
    stays = join_pieces(text[:start], text[end:])
    if len(_WORD.findall(stays)) < _FEWEST_WORDS_LEFT:
        return None
    return MemoryCut(text[start:end].strip(), stays)


def _meant(words: Sequence[QueryWord], told: Sequence[PieceWords]) -> list[int]:
    """The places of the pieces that hold one of the words; without the first where it only says who
    it is about."""
    places = [at for at, each in enumerate(told) if _held(words, each)]
    if places[:1] != [0]:
        return places
    named = _held(words, told[0])
    others = [word for word in words if word not in named]
    left = told[0].held - frozenset[str]().union(*(word.lexemes for word in named))
    is_subject = all(_is_subject(word, told[0]) for word in named) and len(left) >= _FEWEST_TOLD
    beside = any(_held(others, each) for each in told[1:])
    return places[1:] if is_subject and beside else places


def _held(words: Sequence[QueryWord], told: PieceWords) -> list[QueryWord]:
    return [word for word in words if word.lexemes & told.held]


def _is_subject(word: QueryWord, first: PieceWords) -> bool:
    """A first word has a capital letter anyway: it is a name where the wish writes it as one."""
    return bool(word.lexemes & first.names or (word.is_name and word.lexemes & first.opening))


class MemoryCutter:
    """Finds which parts of memories a wish to forget names, and what stays of each as a memory.
    Every method names its user. The `embedder` has no cache: what goes is to be nowhere."""

    def __init__(
        self,
        entries: MemoryEntryStore,
        store: PartialForgettingStore,
        embedder: Embedder,
        marker: ComputeDigests,
        *,
        embedding_timeout: float,
    ) -> None:
        self._entries = entries
        self._store = store
        self._model = embedder.model
        self._embedder = BestEffortEmbedder(embedder, embedding_timeout, event="words_not_embedded")
        self._marker = marker
        self._reader = OfflineReader()

    async def parts(
        self, user_id: str, words: Mapping[UUID, Sequence[QueryWord]], items: Sequence[StoredMemory]
    ) -> tuple[PartialForgetting, ...]:
        """Of those memories of which only a part is meant by the `words` of the wish, that part.

        The others go whole, as does one whose rest would be taken for what went, one that is made
        of others or has replaced one, and all where the embedder does not answer or where no memory
        may be kept.
        """
        apart = await self._store.separable(user_id, [each.id for each in items])
        told = [each for each in items if each.id in apart and words.get(each.id)]
        found = [await self._part(user_id, words[each.id], each) for each in told]
        return tuple(each for each in found if each is not None)

    async def _part(
        self, user_id: str, words: Sequence[QueryWord], item: StoredMemory
    ) -> PartialForgetting | None:
        gaps = await asyncio.to_thread(self._reader.gaps, item.content)
        pieces = split_memory(gaps)
        if len(pieces) <= 1:
            return None
        opening = opening_subject(item.content[pieces[0].start : pieces[0].end])
        told = await self._told(user_id, item.content, pieces, opening)
        cut = cut_memory(words, item.content, pieces, told)
        return (
            None if cut is None else await self._kept_apart(item, cut, removed_text(cut, opening))
        )

    async def _told(
        self, user_id: str, text: str, pieces: Sequence[MemoryPiece], opening: tuple[str, str]
    ) -> list[PieceWords]:
        texts = [*opening, *(text[each.start : each.end] for each in pieces)]
        first_word, names, first, *others = await self._entries.lexemes(user_id, texts)
        return [PieceWords(first, first_word, names), *(PieceWords(each) for each in others)]

    async def _kept_apart(
        self, item: StoredMemory, cut: MemoryCut, going_words: str
    ) -> PartialForgetting | None:
        """None where what stays is so much like the whole, or like what goes, that the tombstone
        would keep it out."""
        gone = await self._embedder.embed(to_first_person(going_words) or None)
        left = await self._embedder.embed(to_first_person(cut.stays) or None)
        if gone is None or left is None:
            return None
        going, staying = self._marker(going_words, gone), self._marker(cut.stays, left)
        near = sketch_cosine(going, staying)
        alike = near is not None and near >= MIN_SKETCH_SIMILARITY
        if alike or same_wording(staying, self._marker(item.content, None)):
            return None
        return PartialForgetting(
            item_id=item.id,
            whole=item.content,
            goes=cut.goes,
            stays=cut.stays,
            sketch=going.sketch,
            simhash=simhash64(normalise(cut.stays)),
            tags=retag(item.tags, item.content, cut.stays),
            embedding=left,
            embedding_model=self._model,
        )
