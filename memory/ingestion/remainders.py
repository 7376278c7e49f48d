"""Of a memory that is replaced, what still holds: a new text seldom speaks of all that an older one
tells (docs/decisions/0026-relations.md)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from memory.embeddings.protocol import Embedding
from memory.fingerprints import simhash64
from memory.ingestion.deduplication import ASK_FROM, Relate, says_no_more
from memory.ingestion.metadata import find_entities
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import MemoryPreparer, retag
from memory.store.remainders import FoundRemainders, Remainder
from memory.types import StoredMemory
from memory.understanding.encoded_text import TextWord, best_run
from memory.understanding.relations import over_words, relations_of
from memory.understanding.types import SENTENCE_ENDS

# Of the way from the word that holds the most surely to the one that holds the least, a word goes
# from so far on; the way is this long at least where they can be told apart, in log odds. Found on
# pairs by others in which the words that go are marked (docs/decisions/0026-relations.md).
GOES_FROM, TOLD_APART_FROM = 0.7, 2.5
# Where they lie closer together, the new text surely takes the place of what goes by itself, and
# has nothing to do with what stays.
GOES_SURELY, STAYS_BELOW = 0.9, 0.2
_FEWEST_WORDS_LEFT, _FEWEST_WORDS_BEFORE, _STUB_WORDS = 3, 2, 5
# Among so many first words of what goes stands the name of whom it is about, of so many letters:
# “Ich” and “Die” have capitals too.
_SUBJECT_WORDS, _FEWEST_LETTERS = 3, 4
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_JOINING, _CLOSING = " ,;:–—-", ",;:.!?…)"
OverWords: TypeAlias = Callable[[str, str], Sequence[tuple[TextWord, float]]]


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


def remaining_text(
    new: str, old: str, over: OverWords = over_words, relate: Relate = relations_of
) -> str | None:
    """What of the old text still holds beside the new one; None where nothing stays that the new
    one does not say, or it cannot be told apart."""
    words = over(new, old)
    odds = [each for _, each in words]
    least, most = min(odds, default=0.0), max(odds, default=0.0)
    run = best_run([each - least - GOES_FROM * (most - least) for each in odds])
    if run is None:
        return None
    start, end = words[run[0]][0].start, words[run[1] - 1][0].end
    if len(_WORD.findall(old[:start])) < _FEWEST_WORDS_BEFORE:
        start = 0
    stays = _join(old[:start], old[end:]) if start else _with_name(new, old[:end], old[end:])
    if _says_little(stays, new, relate):
        return None
    if most - least < TOLD_APART_FROM:
        goes, rest = relate(new, [old[start:end], stays])
        if goes.replaces < GOES_SURELY or rest.over >= STAYS_BELOW:
            return None
    return stays


def _says_little(stays: str, new: str, relate: Relate) -> bool:
    """Whether it is no thing of its own: too short, said by the new text too, or a stub of what is
    over: “my sister lives”."""
    length = len(_WORD.findall(stays))
    if length < _FEWEST_WORDS_LEFT or says_no_more(stays, new):
        return True
    return length <= _STUB_WORDS and relate(new, [stays])[0].over >= ASK_FROM


def _with_name(new: str, goes: str, stays: str) -> str:
    """What stays of a text whose beginning went, with the name that this has in common with the new
    one, if any."""
    words = stays.strip(_JOINING + SENTENCE_ENDS)
    opening = " ".join(goes.split()[:_SUBJECT_WORDS])
    names = [name for name in find_entities(opening) if len(name) >= _FEWEST_LETTERS]
    shared = next((name for name in names if name in find_entities(new)), None)
    return words[:1].upper() + words[1:] if shared is None else f"{shared}: {words}"


def _join(before: str, after: str) -> str:
    """Both sides of what goes as one text, without the marks that joined it to them."""
    before, after = before.strip(), after.strip()
    if before[-1:] in SENTENCE_ENDS:
        after = after.lstrip(_JOINING + SENTENCE_ENDS)
    is_mark = after[:1] in _CLOSING
    if is_mark:
        before = before.rstrip(_JOINING)
    stays = f"{before}{after}" if is_mark else f"{before} {after}"
    return stays.strip(_JOINING)
