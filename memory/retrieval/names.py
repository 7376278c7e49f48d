"""Who and what a text names, and whether a memory is about somebody else than the question. Pure,
English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from memory.retrieval.name_words import (
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
    WORDS_TOO,
)

# Whatever is no letter stands in the gap behind a word, so that the two go over a text together.
_WORD_AND_GAP = re.compile(r"([^\W\d_][\w-]*)([\W\d_]*)")
_ENDS_CLAUSE = frozenset(",.!?:;\n")
_ENDS_SENTENCE = frozenset('.!?:;\n"“(')
_APOSTROPHES = frozenset("'’")


class NameToken(NamedTuple):
    """`plain` is small and without accents, so that "zoe" is Zoë; `gap` what stands between it and
    the next one; `opens` says that a sentence begins with it."""

    plain: str
    is_name_like: bool
    opens: bool
    possessive: bool
    gap: str

    @property
    def ends_clause(self) -> bool:
        return not _ENDS_CLAUSE.isdisjoint(self.gap)


def name_tokens(text: str) -> list[NameToken]:
    """In their order; "Maria's" is "maria", possessive, and the "s" is left out."""
    words: list[NameToken] = []
    opens = True
    for word, gap in _words_and_gaps(unicodedata.normalize("NFC", text)):
        plain = fold_accents(word)
        capital = word[0].isupper() and any(map(str.islower, word))
        # Most words stand before a space, which tells nothing.
        alone = gap == " "
        words.append(
            NameToken(plain, capital, opens, not alone and _is_possessive(plain, gap), gap)
        )
        opens = not alone and _opens_next(word, gap)
    return words


def _words_and_gaps(text: str) -> list[tuple[str, str]]:
    """An ending belongs to the gap before it: the "s" of "Maria's", the "t" of "don't"; not the
    "Brien" of "O'Brien"."""
    pairs = _WORD_AND_GAP.findall(text)
    if "'" not in text and "’" not in text:
        return pairs
    found: list[list[str]] = []
    before, gap_before = "", ""
    for word, gap in pairs:
        if gap_before in _APOSTROPHES and before[-1].isalpha() and word.islower():
            found[-1] += word, gap
        else:
            found.append([word, gap])
        before, gap_before = word, gap
    return [(word, "".join(gaps)) for word, *gaps in found]


def _is_possessive(plain: str, gap: str) -> bool:
    return gap[:1] in _APOSTROPHES and (_adds_s(gap) or plain.endswith("s"))


def _adds_s(gap: str) -> bool:
    return gap[1:2].casefold() == "s" and not gap[2:3].isalnum()


def fold_accents(word: str) -> str:
    """Small, and without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def _opens_next(word: str, gap: str) -> bool:
    """ "Dr. Vogt" is one sentence."""
    if gap.startswith(".") and word.casefold() in ("dr", "mr", "mrs", "ms", "prof", "st"):
        return False
    return not _ENDS_SENTENCE.isdisjoint(gap)


# One word for each relation, and the others that mean the same.
_ALIKE = {
    "mum": "mother", "mom": "mother", "mama": "mother", "dad": "father", "papa": "father",
    "grandma": "grandmother", "granny": "grandmother", "grandpa": "grandfather",
    "neighbor": "neighbour", "landlady": "landlord", "manager": "boss", "supervisor": "boss",
    "husband": "partner", "wife": "partner", "girlfriend": "partner", "boyfriend": "partner",
    "fiance": "partner", "fiancee": "partner", "spouse": "partner",
    "puppy": "dog", "kitten": "cat", "flatmate": "roommate",
}  # fmt: skip
# Of these nobody is two: who is a brother is no sister.
_DISTINCT_WORDS = """
mother father sister brother son daughter grandmother grandfather grandson granddaughter aunt
uncle niece nephew mother-in-law father-in-law sister-in-law brother-in-law stepson stepdaughter
dog cat horse partner
"""
DISTINCT = frozenset(_DISTINCT_WORDS.split())
_OTHERS_WORDS = """
cousin friend neighbour colleague boss teammate mentor landlord roommate doctor dentist therapist
coach teacher twin godson goddaughter assistant apprentice
"""
_OTHERS = frozenset(_OTHERS_WORDS.split())
_ONE = {**_ALIKE, **{kin: kin for kin in DISTINCT | _OTHERS}}
_KIN = {**{f"{word}s": kin for word, kin in _ONE.items()}, **_ONE}
# As a name: "Mum" is mine.
_SPOKEN_TO = frozenset({"mum", "mom", "mama", "dad", "papa", "grandma", "granny", "grandpa"})
_MINE = frozenset({"my", "our"})
_OTHER_OWNERS = frozenset({"his", "her", "their", "your", "whose", "its"})
_LINKS = frozenset({"is", "was", "called", "named", "s", "name"})
_MOST_LINKS = 4
_MOST_BETWEEN = 3


@dataclass(frozen=True)
class Kinship:
    """`owner` is "my" or a name; `kin` one word for each relation."""

    owner: str
    kin: str


@dataclass(frozen=True)
class KinshipMention:
    """A relation where a text speaks of it. `bearer` is the name it gives them, `opens` says that
    a sentence begins with it, `owned` that the text says whose it is."""

    relation: Kinship
    bearer: str | None
    opens: bool
    owned: bool


def find_kinship(words: Sequence[NameToken]) -> Iterator[KinshipMention]:
    for at, word in enumerate(words):
        kin = _KIN.get(word.plain)
        if kin is not None and (owner := _owner(words, at)) is not None:
            name, first, owned = owner
            bearer = _named_after(words, at) or _named_before(words, first, word)
            yield KinshipMention(Kinship(name, kin), bearer, words[first].opens, owned)


def kin_of(word: str) -> str | None:
    """The relation that a word means; "sisters" is that of each of them."""
    return _KIN.get(word)


def _owner(words: Sequence[NameToken], at: int) -> tuple[str, int, bool] | None:
    """Whose it is, with where the words for it begin; None where it is not known whose. Without an
    owner, "sister Maria" is the user's."""
    first = max(at - _MOST_BETWEEN, 0)
    for before in range(at - 1, first - 1, -1):
        word = words[before]
        if word.plain in _MINE or (word.plain == "user" and word.possessive):
            return "my", before, True
        if word.plain in _OTHER_OWNERS:
            return None
        if word.possessive:
            return (word.plain, before, True) if word.is_name_like else None
        if word.ends_clause:
            break
    return "my", at, words[at].plain in _SPOKEN_TO


def _named_after(words: Sequence[NameToken], at: int) -> str | None:
    """ "My sister Maria", "my sister, Maria", "my sister is called Maria"; "my sister is Tom's
    boss" does not say who she is."""
    for place, word in enumerate(words[at + 1 : at + 2 + _MOST_LINKS]):
        if _is_bearer(word):
            return None if place and word.possessive else word.plain
        if word.plain not in _LINKS and word.plain not in TITLES:
            return None
    return None


def _named_before(words: Sequence[NameToken], first: int, kin: NameToken) -> str | None:
    """ "Maria is my sister", "Maria, my sister"; "Lisbon is my sister's home" names a place."""
    if kin.possessive:
        return None
    before = words[first - 1] if first else None
    if before is not None and before.plain in ("is", "was") and first > 1:
        before = words[first - 2]
    elif before is not None and before.gap.strip() not in (",", "("):
        return None
    return before.plain if before is not None and _is_bearer(before) else None


def _is_bearer(word: NameToken) -> bool:
    return word.is_name_like and word.plain not in ORDINARY and kin_of(word.plain) is None


NameKind = Literal["person", "maybe", "doubtful", "thing", "name", "none"]
_ASKS = frozenset({"does", "did", "do", "would", "will", "could", "can", "should"})
_TOWARDS = frozenset({"to", "from"})
_AND = frozenset({"and", "or"})
_EDGE = NameToken("", is_name_like=False, opens=False, possessive=False, gap="")


@dataclass(frozen=True)
class TextNames:
    """What a text names. `people` surely are; `maybe` are people unless they name `things`
    elsewhere, and of these the `doubtful` may be ordinary words that begin a sentence."""

    words: tuple[NameToken, ...]
    names: frozenset[str]
    people: frozenset[str]
    maybe: frozenset[str]
    doubtful: frozenset[str]
    things: frozenset[str]
    mentions: tuple[KinshipMention, ...]

    @cached_property
    def plain(self) -> frozenset[str]:
        """Its words, and "Sixtens" as Sixten's as well."""
        return frozenset(each.plain for each in self.words) | {
            each.plain.removesuffix("s") for each in self.words if each.is_name_like
        }

    @property
    def small(self) -> frozenset[str]:
        return frozenset(each.plain for each in self.words if not each.is_name_like)


def read_names(text: str) -> TextNames:
    words = name_tokens(text)
    mentions = tuple(find_kinship(words))
    by_kind: dict[NameKind, set[str]] = {}
    for word, kind in _kinds(words):
        by_kind.setdefault(kind, set()).add(word.plain)
    bearers = {each.bearer for each in mentions if each.bearer is not None}
    people = frozenset(by_kind.get("person", set()) | bearers)
    doubtful = frozenset(by_kind.get("doubtful", set()))
    maybe = frozenset(by_kind.get("maybe", set())) | doubtful
    things = frozenset(by_kind.get("thing", set()))
    names = people | maybe | things | by_kind.get("name", set())
    sure = people | by_kind.get("maybe", set()) | things | by_kind.get("name", set())
    return TextNames(tuple(words), names, people, maybe, doubtful - sure, things, mentions)


def _kinds(words: Sequence[NameToken]) -> Iterator[tuple[NameToken, NameKind]]:
    """Each word that is written like a name; the rest of "New York" or "Lisbon and Porto" is a
    thing where its first word is one."""
    around = [_EDGE, _EDGE, *words, _EDGE]
    of_thing = False
    for at, word in enumerate(words, start=2):
        if word.is_name_like:
            earlier, before = around[at - 2 : at]
            of_thing = _is_thing(earlier, before, word) or (of_thing and _goes_on(earlier, before))
            yield word, _kind(before, word, around[at + 1], of_thing=of_thing)


def _goes_on(earlier: NameToken, before: NameToken) -> bool:
    joined = before.plain in _AND and earlier.is_name_like
    return joined or (before.is_name_like and before.gap == " ")


def _kind(before: NameToken, word: NameToken, after: NameToken, *, of_thing: bool) -> NameKind:
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


def _acts(before: NameToken, word: NameToken, after: NameToken) -> NameKind:
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


def _is_thing(earlier: NameToken, before: NameToken, word: NameToken) -> bool:
    """ "In Lisbon", "moved to Lisbon", "my Volvo", but "at Maria's"."""
    if word.possessive or before.ends_clause:
        return False
    if before.plain in _TOWARDS:
        return earlier.plain in GOES
    return before.plain in BEFORE_THINGS


_OF_ONESELF = re.compile(
    r"\b(?:am|do|did|was|have|had)(?:n['’]t)? i\b"
    r"|^\W*(?:and |so |hey,? )?(?:what(?:['’]s| is| are| was| were)? |which is )?my\b",
    re.IGNORECASE,
)
# Whoever may be meant besides, and questions whose answer may well be told of somebody else.
_OF_OTHERS = re.compile(
    r"\b(?:what (?:do|did) i do|who|whom|whose|any(?:one|body)|some(?:one|body)|every(?:one|body)"
    r"|family|relatives?|friends?|people|guests?|know|with|for|we|us|our|they|them|their|he|him|his|she|her|buy"
    r"|gifts?|cook|plan|remember|tell|told|visit|see|meet|met|call|ask|when|what date)\b",
    re.IGNORECASE,
)
_OF_ME = re.compile(r"\b(?:i|me|we|us|mine|myself|user)\b", re.IGNORECASE)
_OPENS_LARGE = re.compile(r"\s*[^\W\d_a-z]")


def asks_of_oneself(question: str, asking: TextNames) -> bool:
    """Whether nobody else is named in it, by a name or as kin, or may be meant."""
    if asking.names or asking.mentions or asking.people:
        return False
    return _OF_ONESELF.search(question) is not None and _OF_OTHERS.search(question) is None


def told_of_another(memory: str) -> bool:
    """Whether it begins with somebody and the one who keeps it has no part in it."""
    if _OPENS_LARGE.match(memory) is None or _OF_ME.search(memory) is not None:
        return False
    told = read_names(memory)
    opens = {word.plain for word in told.words[:1]}
    somebody = told.people | told.maybe - told.things
    return any(mention.opens for mention in told.mentions) or bool(opens & somebody)


# Names are looked for in so many characters of a memory, ten times a usual one's.
_READ = 1000
_NOBODY: frozenset[str] = frozenset()


def find_names(text: str) -> frozenset[str]:
    """The names in a text, small and without accents; the first word of a sentence only where it
    is no ordinary word and goes on like a name ("Maria's", "Maria likes", "Maria and Tom")."""
    return read_names(text).names


def find_strangers(question: str, memories: Sequence[str]) -> list[bool]:
    """Of each memory, in their order, whether it is told of somebody, and of none of the people
    that the question asks about; False where it asks about nobody."""
    asking = read_names(question)
    if asks_of_oneself(question, asking):
        return [told_of_another(memory[:_READ]) for memory in memories]
    if not _may_name(asking, memories):
        return [False] * len(memories)
    return _Pool(asking, [read_names(memory[:_READ]) for memory in memories]).strangers()


def _may_name(asking: TextNames, memories: Sequence[str]) -> bool:
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

    def __init__(self, asking: TextNames, memories: Sequence[TextNames]) -> None:
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

    def strangers(self) -> list[bool]:
        if not self._asked and not self._relations:
            return [False] * len(self._memories)
        relations = self._relations | {
            relation for relation, names in self._bearers.items() if names <= self._asked
        }
        return [self._is_of_others(each, relations) for each in self._memories]

    def _is_of_others(self, memory: TextNames, relations: frozenset[Kinship]) -> bool:
        theirs = frozenset(each.relation for each in memory.mentions)
        if self._asked & memory.plain or relations & theirs:
            return False
        told_of = (memory.people | memory.maybe) & self._people - self._no_names
        return bool(told_of) or any(map(self._is_stranger, memory.mentions))

    def _is_stranger(self, mention: KinshipMention) -> bool:
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

    def _asked_relations(self) -> frozenset[Kinship]:
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


def _bearers(memories: Iterable[TextNames]) -> dict[Kinship, frozenset[str]]:
    found: dict[Kinship, frozenset[str]] = {}
    for memory in memories:
        for each in memory.mentions:
            if each.bearer is not None:
                found[each.relation] = found.get(each.relation, _NOBODY) | {each.bearer}
    return found


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return _NOBODY.union(*sets)
