"""Words of kinship and work in a text, whose they are, and who bears them. Pure, English.

"My sister Maria" says that my sister is Maria; a question about my sister is then one about Maria.
"Tom's sister" is somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.recall.names.spelling import Word
from memory.recall.names.words import ORDINARY, TITLES

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
class Relation:
    """`owner` is "my" or a name; `kin` one word for each relation."""

    owner: str
    kin: str


@dataclass(frozen=True)
class Mention:
    """A relation where a text speaks of it. `bearer` is the name it gives them, `opens` says that
    a sentence begins with it, `owned` that the text says whose it is."""

    relation: Relation
    bearer: str | None
    opens: bool
    owned: bool


def mentions_in(words: Sequence[Word]) -> Iterator[Mention]:
    for at, word in enumerate(words):
        kin = _KIN.get(word.plain)
        if kin is not None and (owner := _owner(words, at)) is not None:
            name, first, owned = owner
            bearer = _named_after(words, at) or _named_before(words, first, word)
            yield Mention(Relation(name, kin), bearer, words[first].opens, owned)


def kin_of(word: str) -> str | None:
    """The relation that a word means; "sisters" is that of each of them."""
    return _KIN.get(word)


def _owner(words: Sequence[Word], at: int) -> tuple[str, int, bool] | None:
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


def _named_after(words: Sequence[Word], at: int) -> str | None:
    """ "My sister Maria", "my sister, Maria", "my sister is called Maria"; "my sister is Tom's
    boss" does not say who she is."""
    for place, word in enumerate(words[at + 1 : at + 2 + _MOST_LINKS]):
        if _is_bearer(word):
            return None if place and word.possessive else word.plain
        if word.plain not in _LINKS and word.plain not in TITLES:
            return None
    return None


def _named_before(words: Sequence[Word], first: int, kin: Word) -> str | None:
    """ "Maria is my sister", "Maria, my sister"; "Lisbon is my sister's home" names a place."""
    if kin.possessive:
        return None
    before = words[first - 1] if first else None
    if before is not None and before.plain in ("is", "was") and first > 1:
        before = words[first - 2]
    elif before is not None and before.gap.strip() not in (",", "("):
        return None
    return before.plain if before is not None and _is_bearer(before) else None


def _is_bearer(word: Word) -> bool:
    return word.is_name_like and word.plain not in ORDINARY and kin_of(word.plain) is None
