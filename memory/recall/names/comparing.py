"""Who and what a text names, and whether a memory is about somebody else than the question.

Pure, English. A name is a capitalised word that is no ordinary word of a sentence; in a question it
may be typed small where a memory writes it large. Whether it is that of a person is told by what
stands beside it, in the question or in any of the memories at hand: Maria likes, one lives in
Lisbon. Only a question about people has strangers to them; see `kinship` for "my sister".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.recall.names.kinship import DISTINCT, Mention, Relation
from memory.recall.names.oneself import asks_of_oneself, told_of_another
from memory.recall.names.persons import Reading, read
from memory.recall.names.words import CALENDAR_TOO, ORDINARY, WORDS_TOO

# Names are looked for in so many characters of a memory, ten times a usual one's.
_READ = 1000
_NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Naming:
    """How a memory lies to the people that a question asks about.

    `same` says that it names one of them, `stranger` that it is told of somebody, and of none of
    them; both False where the question asks about nobody.
    """

    same: bool = False
    stranger: bool = False


def names_in(text: str) -> frozenset[str]:
    """The names in a text, small and without accents; the first word of a sentence only where it
    is no ordinary word and goes on like a name ("Maria's", "Maria likes", "Maria and Tom")."""
    return read(text).names


def people_in(text: str) -> frozenset[str]:
    """The names that are those of people by what stands beside them, as far as this text tells."""
    found = read(text)
    return found.people | (found.maybe - found.things)


def compare_names(question: str, memories: Sequence[str]) -> list[Naming]:
    """The naming of each memory, in their order."""
    asking = read(question)
    if asks_of_oneself(question, asking):
        return [Naming(stranger=told_of_another(memory[:_READ])) for memory in memories]
    if not _may_name(asking, memories):
        return [Naming()] * len(memories)
    return _Pool(asking, [read(memory[:_READ]) for memory in memories]).namings()


def _may_name(asking: Reading, memories: Sequence[str]) -> bool:
    """Whether the question can be about somebody: it names one, or one's kin, or has a word that a
    memory writes large. To read all memories costs more than all else that is done with them."""
    if asking.names or asking.people or asking.maybe or asking.mentions:
        return True
    small = {word.plain for word in asking.words if word.plain not in ORDINARY}
    small |= {word.removesuffix("s") for word in small}  # "marias"
    large = [word.capitalize() for word in small if word]
    texts = list(map(_without_accents, memories))
    return any(word in text for text in texts for word in large)


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(each for each in parts if not unicodedata.combining(each))


class _Pool:
    """A question and the memories at hand, which tell together who is a person."""

    def __init__(self, asking: Reading, memories: Sequence[Reading]) -> None:
        self._asking = asking
        self._memories = memories
        everything = (asking, *memories)
        self._things = _union(each.things for each in everything)
        self._no_names = self._ordinary(_union(each.doubtful for each in memories))
        self._people = _union(each.people for each in everything) | (
            _union(each.maybe for each in memories) - self._things - self._no_names
        )
        self._bearers = _bearers(memories)
        self._relations = self._asked_relations()
        self._asked = self._asked_people()

    def namings(self) -> list[Naming]:
        if not self._asked and not self._relations:
            return [Naming()] * len(self._memories)
        relations = self._relations | {
            relation for relation, names in self._bearers.items() if names <= self._asked
        }
        return [self._naming(each, relations) for each in self._memories]

    def _naming(self, memory: Reading, relations: frozenset[Relation]) -> Naming:
        theirs = frozenset(each.relation for each in memory.mentions)
        if self._asked & memory.plain or relations & theirs:
            return Naming(same=True)
        told_of = (memory.people | memory.maybe) & self._people - self._no_names
        return Naming(stranger=bool(told_of) or any(map(self._is_stranger, memory.mentions)))

    def _is_stranger(self, mention: Mention) -> bool:
        """My sister is a stranger to Tom where she is known to be Maria, and to my brother."""
        if not mention.opens or not mention.owned:
            return False
        if bearers := self._bearers.get(mention.relation):
            return not bearers & self._asked
        mine, distinct = mention.relation.owner, mention.relation.kin in DISTINCT
        return distinct and any(
            each.owner == mine and each.kin in DISTINCT for each in self._relations
        )

    def _ordinary(self, doubtful: frozenset[str]) -> frozenset[str]:
        """Those that are written small elsewhere; whoever writes one name large writes no other
        one small."""
        texts = (*self._memories, self._asking) if self._asking.names else self._memories
        return _union(doubtful & each.small for each in texts) if doubtful else _NOBODY

    def _asked_relations(self) -> frozenset[Relation]:
        """Of a friend there may be several, so that one who bears no name here may be anybody."""
        return frozenset(
            each.relation
            for each in self._asking.mentions
            if each.owned and (each.relation.kin in DISTINCT or each.relation in self._bearers)
        )

    def _asked_people(self) -> frozenset[str]:
        known = _union(each.plain for each in self._memories)
        unknown = self._asking.names - known - self._things
        bearers = _union(self._bearers.get(each, _NOBODY) for each in self._relations)
        owners = self._asking.maybe - self._asking.doubtful - self._things
        named = (self._asking.names & self._people) | unknown | owners | self._asking.people
        return named | bearers | self._typed_small()

    def _typed_small(self) -> frozenset[str]:
        """Names that only the memories write large, and "marias" as Maria's."""
        found = set[str]()
        for word in self._asking.words:
            large = word.is_name_like and word.plain not in CALENDAR_TOO
            if word.plain in WORDS_TOO and not (word.possessive or large):
                continue
            ended = word.plain.removesuffix("s")
            forms = {word.plain} if ended in WORDS_TOO else {word.plain, ended}
            found |= forms & self._people if word.plain not in ORDINARY else _NOBODY
        return frozenset(found)


def _bearers(memories: Iterable[Reading]) -> dict[Relation, frozenset[str]]:
    found: dict[Relation, frozenset[str]] = {}
    for memory in memories:
        for each in memory.mentions:
            if each.bearer is not None:
                found[each.relation] = found.get(each.relation, _NOBODY) | {each.bearer}
    return found


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return _NOBODY.union(*sets)
