"""Forgetting a part of a memory: which part a wish means, and what stays."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.actions.forgetting.proof import same_wording, sketch_cosine
from memory.actions.matching import RELATIONSHIP
from memory.embeddings.protocol import BestEffortEmbedder, Embedder
from memory.fingerprints import simhash64
from memory.ingestion.metadata import find_entities
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import retag
from memory.ingestion.remainders import (
    JOINING,
    ReadOutdated,
    read_outdated,
    text_without,
)
from memory.store.forgetting import (
    MIN_SKETCH_SIMILARITY,
    ComputeDigests,
    PartialForgetting,
    PartialForgettingStore,
)
from memory.text import to_first_person
from memory.types import StoredMemory

# Among so many first words of a memory stands whom it is about.
_SUBJECT_WORDS = 3
# “Ich” and “Soy” have capitals too.
_FEWEST_LETTERS = 4
_FEWEST_WORDS_LEFT = 3
# So probably a wish means these words alone; else the whole goes, for nothing of what is meant is
# to stay.
_TOLD_FROM = 0.6
_WORD = re.compile(r"\w+(?:['’]\w+)*")


@dataclass(frozen=True)
class MemoryCut:
    """What goes of a memory, as it would be said again by itself too, and what stays."""

    goes: str
    said_again: str
    stays: str


def cut_memory(wish: str, text: str, read: ReadOutdated = read_outdated) -> MemoryCut | None:
    """The words of the text that the wish means, and the others; None where all go, where too
    little stays, or where it cannot be told apart. Blocking."""
    meant = read(wish, text)
    if meant is None or meant.told < _TOLD_FROM:
        return None
    stays = text_without(text, meant.start, meant.end)
    goes = text[meant.start : meant.end].strip(JOINING)
    if not _WORD.search(goes) or len(_WORD.findall(stays)) < _FEWEST_WORDS_LEFT:
        return None
    subject = opening_subject(text) if meant.start > 0 else ""
    return MemoryCut(goes, f"{subject} {goes}".lstrip(), stays)


def opening_subject(text: str) -> str:
    """The first words of a memory as far as the last name or title among them, if any: “My sister
    Maria”."""
    words = text.split()[:_SUBJECT_WORDS]
    named = [at for at, word in enumerate(words) if at and _is_named(word)]
    if named:
        return " ".join(words[: named[-1] + 1]).rstrip(",;:")
    names = (
        each for each in find_entities(text) if each.isalpha() and len(each) >= _FEWEST_LETTERS
    )
    named_first = (name for name in names if len(name) >= _FEWEST_LETTERS)
    return next((name for name in named_first if text.startswith(name)), "")


def _is_named(word: str) -> bool:
    return _is_name(word) or RELATIONSHIP.fullmatch(word) is not None


def _is_name(word: str) -> bool:
    """By its capital letter; “I” is none."""
    return word[:1].isupper() and word[1:2].isalpha()


class MemoryCutter:
    """Finds which parts of memories a wish to forget names, and what stays of each as a memory.
    Every method names its user. The `embedder` has no cache: what goes is to be nowhere."""

    def __init__(
        self,
        store: PartialForgettingStore,
        embedder: Embedder,
        marker: ComputeDigests,
        *,
        embedding_timeout: float,
    ) -> None:
        self._store = store
        self._model = embedder.model
        self._embedder = BestEffortEmbedder(embedder, embedding_timeout, event="words_not_embedded")
        self._marker = marker

    async def parts(
        self,
        user_id: str,
        wishes: Mapping[UUID, str],
        items: Sequence[StoredMemory],
    ) -> tuple[PartialForgetting, ...]:
        """Of those memories of which only a part is meant by its wish, that part.

        The others go whole, as does one whose rest would be taken for what went, one that is made
        of others or has replaced one, and all where the embedder does not answer or where no memory
        may be kept.
        """
        apart = await self._store.separable(user_id, [each.id for each in items])
        told = [(wishes[each.id], each) for each in items if each.id in apart]
        found = [await self._part(*each) for each in told]
        return tuple(each for each in found if each is not None)

    async def _part(self, wish: str, item: StoredMemory) -> PartialForgetting | None:
        cut = await asyncio.to_thread(cut_memory, wish, item.content)
        return None if cut is None else await self._kept_apart(item, cut)

    async def _kept_apart(self, item: StoredMemory, cut: MemoryCut) -> PartialForgetting | None:
        """None where what stays is so much like the whole, or like what goes, that the tombstone
        would keep it out."""
        gone = await self._embedder.embed_text(to_first_person(cut.said_again) or None)
        left = await self._embedder.embed_text(to_first_person(cut.stays) or None)
        if gone is None or left is None:
            return None
        going, staying = self._marker(cut.said_again, gone), self._marker(cut.stays, left)
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
