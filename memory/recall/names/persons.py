"""Which words of a text are names, and which of those are people's. Pure, English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from memory.recall.names.kinship import Mention, kin_of, mentions_in
from memory.recall.names.spelling import Word, words_of
from memory.recall.names.words import (
    ACTS,
    BEFORE_THINGS,
    CALENDAR_TOO,
    DEALT_WITH,
    DOES,
    GOES,
    MAY_ACT,
    ORDINARY,
    PERSONAL,
    TITLES,
)

Kind = Literal["person", "maybe", "doubtful", "thing", "name", "none"]
_ASKS = frozenset({"does", "did", "do", "would", "will", "could", "can", "should"})
_TOWARDS = frozenset({"to", "from"})
_AND = frozenset({"and", "or"})
_EDGE = Word("", is_name_like=False, opens=False, possessive=False, gap="")


@dataclass(frozen=True)
class Reading:
    """What a text names. `people` surely are; `maybe` are people unless they name `things`
    elsewhere, and of these the `doubtful` may be ordinary words that begin a sentence."""

    words: tuple[Word, ...]
    names: frozenset[str]
    people: frozenset[str]
    maybe: frozenset[str]
    doubtful: frozenset[str]
    things: frozenset[str]
    mentions: tuple[Mention, ...]

    @cached_property
    def plain(self) -> frozenset[str]:
        """Its words, and "Sixtens" as Sixten's as well."""
        return frozenset(each.plain for each in self.words) | {
            each.plain.removesuffix("s") for each in self.words if each.is_name_like
        }

    @property
    def small(self) -> frozenset[str]:
        return frozenset(each.plain for each in self.words if not each.is_name_like)


def read(text: str) -> Reading:
    words = words_of(text)
    mentions = tuple(mentions_in(words))
    by_kind: dict[Kind, set[str]] = {}
    for word, kind in _kinds(words):
        by_kind.setdefault(kind, set()).add(word.plain)
    bearers = {each.bearer for each in mentions if each.bearer is not None}
    people = frozenset(by_kind.get("person", set()) | bearers)
    doubtful = frozenset(by_kind.get("doubtful", set()))
    maybe = frozenset(by_kind.get("maybe", set())) | doubtful
    things = frozenset(by_kind.get("thing", set()))
    names = people | maybe | things | by_kind.get("name", set())
    sure = people | by_kind.get("maybe", set()) | things | by_kind.get("name", set())
    return Reading(tuple(words), names, people, maybe, doubtful - sure, things, mentions)


def _kinds(words: Sequence[Word]) -> Iterator[tuple[Word, Kind]]:
    """Each word that is written like a name; the rest of "New York" or "Lisbon and Porto" is a
    thing where its first word is one."""
    around = [_EDGE, _EDGE, *words, _EDGE]
    of_thing = False
    for at, word in enumerate(words, start=2):
        if word.is_name_like:
            earlier, before = around[at - 2 : at]
            of_thing = _is_thing(earlier, before, word) or (of_thing and _goes_on(earlier, before))
            yield word, _kind(before, word, around[at + 1], of_thing=of_thing)


def _goes_on(earlier: Word, before: Word) -> bool:
    joined = before.plain in _AND and earlier.is_name_like
    return joined or (before.is_name_like and before.gap == " ")


def _kind(before: Word, word: Word, after: Word, *, of_thing: bool) -> Kind:
    if word.plain in ORDINARY or kin_of(word.plain) is not None:
        return "none"
    acts = _acts(before, word, after)
    if word.plain in CALENDAR_TOO and (acts != "person" or of_thing):
        return "none"
    if acts == "person":
        return "person"
    if of_thing:
        return "thing"
    if word.opens:
        return acts
    dealt_with = before.plain in DEALT_WITH and not before.ends_clause
    return "maybe" if dealt_with or acts != "none" else "name"


def _acts(before: Word, word: Word, after: Word) -> Kind:
    """What it does, told by the words around it: Maria likes; Rex is; Tom and Ana; nothing."""
    if before.plain in TITLES:
        return "person"
    if word.possessive:
        if word.ends_clause or not after.plain or after.plain in MAY_ACT:
            return "none"  # "at Luigi's", "Luigi's is closed"
        return "person" if kin_of(after.plain) or after.plain in PERSONAL else "maybe"
    if word.ends_clause:
        return "none"
    if after.plain in ACTS or (before.plain in _ASKS and after.plain in DOES):
        return "person"
    joined = after.plain in _AND or "&" in word.gap
    return "doubtful" if after.plain in MAY_ACT or joined else "none"


def _is_thing(earlier: Word, before: Word, word: Word) -> bool:
    """ "In Lisbon", "moved to Lisbon", "my Volvo", but "at Maria's"."""
    if word.possessive or before.ends_clause:
        return False
    if before.plain in _TOWARDS:
        return earlier.plain in GOES
    return before.plain in BEFORE_THINGS
