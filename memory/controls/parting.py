"""Which parts of memories a wish to forget names, and what stays of each as a memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from memory.controls.finding import Word
from memory.controls.parts import Cut, Told, as_said, cut_by, opening_of
from memory.controls.proof import similarity, worded
from memory.embedders.protocol import Embedder
from memory.embedders.timely import Timely
from memory.first_person import as_first_person
from memory.models import KeptItem
from memory.simhash import simhash64
from memory.store.forgetting.forgetting import MarkerOf
from memory.store.forgetting.parts import Part, PartStore
from memory.store.forgetting.tombstones import SAME_SKETCH
from memory.store.memories.entries import EntryStore
from memory.understanding import OfflineReader
from memory.understanding.pieces import Piece, pieces_of
from memory.write.metadata import retag
from memory.write.normalise import normalise


class Parting:
    """Every method names its user. The `embedder` has no cache: what goes is to be nowhere."""

    def __init__(
        self,
        entries: EntryStore,
        store: PartStore,
        embedder: Embedder,
        marker: MarkerOf,
        *,
        embedding_timeout: float,
    ) -> None:
        self._entries = entries
        self._store = store
        self._model = embedder.model
        self._embedder = Timely(embedder, embedding_timeout, event="words_not_embedded")
        self._marker = marker
        self._reader = OfflineReader()

    async def parts(
        self, user_id: str, words: Mapping[UUID, Sequence[Word]], items: Sequence[KeptItem]
    ) -> tuple[Part, ...]:
        """Of those memories of which only a part is meant by the `words` of the wish, that part.

        The others go whole, as does one whose rest would be taken for what went, one that is made
        of others or has replaced one, and all where the embedder does not answer or where no memory
        may be kept.
        """
        apart = await self._store.separable(user_id, [each.id for each in items])
        told = [each for each in items if each.id in apart and words.get(each.id)]
        found = [await self._part(user_id, words[each.id], each) for each in told]
        return tuple(each for each in found if each is not None)

    async def _part(self, user_id: str, words: Sequence[Word], item: KeptItem) -> Part | None:
        gaps = await asyncio.to_thread(self._reader.gaps, item.content)
        pieces = pieces_of(gaps)
        if len(pieces) <= 1:
            return None
        opening = opening_of(item.content[pieces[0].start : pieces[0].end])
        told = await self._told(user_id, item.content, pieces, opening)
        cut = cut_by(words, item.content, pieces, told)
        return None if cut is None else await self._kept_apart(item, cut, as_said(cut, opening))

    async def _told(
        self, user_id: str, text: str, pieces: Sequence[Piece], opening: tuple[str, str]
    ) -> list[Told]:
        texts = [*opening, *(text[each.start : each.end] for each in pieces)]
        first_word, names, first, *others = await self._entries.lexemes(user_id, texts)
        return [Told(first, first_word, names), *(Told(each) for each in others)]

    async def _kept_apart(self, item: KeptItem, cut: Cut, going_words: str) -> Part | None:
        """None where what stays is so much like the whole, or like what goes, that the tombstone
        would keep it out."""
        gone = await self._embedder.embed(as_first_person(going_words) or None)
        left = await self._embedder.embed(as_first_person(cut.stays) or None)
        if gone is None or left is None:
            return None
        going, staying = self._marker(going_words, gone), self._marker(cut.stays, left)
        near = similarity(going, staying)
        alike = near is not None and near >= SAME_SKETCH
        if alike or worded(staying, self._marker(item.content, None)):
            return None
        return Part(
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
