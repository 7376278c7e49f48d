"""How alike two texts are, and whether they say the same. Pure functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from memory.simhash import NEAR, hamming
from memory.write.normalise import normalise
from memory.write.statements.subjects import subject_of
from memory.write.statements.wording import Statement, stems_of
from memory.write.statements.words import (
    ASKING,
    CONDITIONS,
    DIRECTED,
    KIN,
    OPPOSITES,
    WEAK_OPPOSITES,
)

# 003 phase 7: near-certain duplicates.
SAME_COSINE = 0.97
SAME_TEXT = 0.95
# 004 1.3: below it a memory is new.
NOVEL_COSINE = 0.82
# Above so many words that carry meaning one changed word does not make another statement.
SHORT_STEMS = 12
_FEW = 2
_TYPO_RATIO = 0.8
_TYPO_CHARS = 5
# A vector tells nothing of what comes after 256 tokens.
_LONG_CHARS = 600
# Of equal parts in both texts, each of which difflib looks at again and again; prose has fewer,
# however long. Where there are more, it is let leave the most frequent ones aside.
_MOST_PAIRS = 60_000
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*|\bnot\b|\bnever\b|\bno\b|n't\b|\bcannot\b|\bwithout\b")


def near_identical(
    content: str, other: str, *, simhash: int, other_simhash: int | None, cosine: float | None
) -> str | None:
    """Which measure calls the two one text: "text", "simhash", "cosine", or None.

    None for other numbers or another count of negations, however long the texts; alike is not
    yet the same: "my sister Maria" and "my sister Marie" are as near as that.
    """
    if not same_figures(content, other):
        return None
    if text_ratio(content, other) >= SAME_TEXT:
        return "text"
    if other_simhash is not None and hamming(simhash, other_simhash) <= NEAR:
        return "simhash"
    long = max(len(content), len(other)) > _LONG_CHARS
    if cosine is not None and cosine >= SAME_COSINE and not long:
        return "cosine"
    return None


def same_figures(one: str, other: str) -> bool:
    """Whether all numbers are the same, in their order, and as much is denied."""
    first, second = (" ".join(text.lower().replace("’", "'").split()) for text in (one, other))
    return _FIGURE.findall(first) == _FIGURE.findall(second)


def text_ratio(one: str, other: str) -> float:
    """difflib's ratio of the normalised texts, the same both ways; 0 where it cannot reach 0.95.

    Texts above 600 characters are compared word by word, which is quick at any length.
    """
    first, second = sorted((normalise(one), normalise(other)))
    if first == second:
        return 1.0
    if max(len(first), len(second)) > _LONG_CHARS:
        return _ratio(first.split(), second.split())
    return _ratio(first, second)


def _ratio(first: Sequence[str], second: Sequence[str]) -> float:
    """difflib's, with its two upper bounds asked first, and cheaper than it does itself."""
    length = len(first) + len(second)
    if 2 * min(len(first), len(second)) / length < SAME_TEXT:
        return 0.0
    ours, theirs = Counter(first), Counter(second)
    if 2 * (ours & theirs).total() / length < SAME_TEXT:
        return 0.0
    pairs = sum(count * theirs[each] for each, count in ours.items())
    return SequenceMatcher(None, first, second, autojunk=pairs > _MOST_PAIRS).ratio()


def same_statement(new: Statement, old: Statement) -> bool:
    """Whether the first says nothing that the second does not, by the words.

    False for another number, name, negation, tense, condition or opposite, whatever the
    cosine: "I live in Oslo" adds nothing to "I live in Oslo with Anna", the reverse does.
    """
    if told_apart(new, old):
        return False
    ours, theirs = set(new.stems) - ASKING, set(old.stems) - ASKING
    return ours == theirs if new.negated else ours <= theirs


def slightly_apart(new: Statement, old: Statement) -> bool:
    """Whether what differs between two near-identical texts is a slip, a filler, or one word in
    many; a number, name, negation or opposite never is."""
    if told_apart(new, old):
        return False
    ours, theirs = _unmatched(new, old)
    long = min(len(new.stems), len(old.stems)) > SHORT_STEMS
    if long:
        return len(ours) <= _FEW
    return not ours or (len(ours) == len(theirs) and _typos(ours, theirs))


def told_apart(new: Statement, old: Statement) -> bool:
    """Whether a word that changes the sense is in one only."""
    if (new.negated, new.past, new.history) != (old.negated, old.past, old.history):
        return True
    if new.numbers != old.numbers or _other_names(new, old) or _turned_round(new, old):
        return True
    ours, theirs = _unmatched(new, old)
    if KIN & (ours | theirs) and "my " in new.plain:
        return True
    if opposites(new, old) or CONDITIONS & (ours | theirs) or _of_oneself_alone(new, old):
        return True
    return any(frozenset((one, two)) in WEAK_OPPOSITES for one in ours for two in theirs)


def opposites(new: Statement, old: Statement) -> bool:
    """Whether the two differ in one word each, and those exclude each other."""
    return _differ_by(new, old, OPPOSITES)


def weak_opposites(new: Statement, old: Statement) -> bool:
    """As `opposites`, of words that may hold of one thing at different times."""
    return _differ_by(new, old, WEAK_OPPOSITES)


def _differ_by(new: Statement, old: Statement, pairs: frozenset[frozenset[str]]) -> bool:
    ours, theirs = _unmatched(new, old)
    return len(ours) == len(theirs) == 1 and ours | theirs in pairs


def _of_oneself_alone(new: Statement, old: Statement) -> bool:
    """Whether one speaks of the user and the other of somebody else: "I live in Bergen" says
    nothing of a sister who does."""
    one, other = subject_of(new).name, subject_of(old).name
    return one != other and "i" in (one, other) and bool(one and other)


def _unmatched(new: Statement, old: Statement) -> tuple[frozenset[str], frozenset[str]]:
    ours, theirs = frozenset(new.stems), frozenset(old.stems)
    return ours - theirs, theirs - ours


def _other_names(new: Statement, old: Statement) -> bool:
    """Whether one has a name, by its capital, that the other lacks in any case."""
    unknown = new.name_stems - set(old.stems)
    lacking = old.name_stems - set(new.stems)
    return bool(unknown) or (bool(lacking) and set(new.stems) - set(old.stems) != set())


def _turned_round(new: Statement, old: Statement) -> bool:
    """ "Tom likes Anna" and "Anna likes Tom", "tabs over spaces" and the reverse; not "on Mondays
    I work from home" and "I work from home on Mondays"."""
    if set(new.stems) != set(old.stems) or new.stems == old.stems:
        return False
    ours, theirs = new.plain.split(" ")[0], old.plain.split(" ")[0]
    if ours != theirs and ours in old.names and theirs in new.names:
        return True
    between = {*DIRECTED.findall(new.plain), *DIRECTED.findall(old.plain)}
    return any(_sides_changed(new.plain, old.plain, word) for word in between)


def _sides_changed(new: str, old: str, word: str) -> bool:
    """Whether something that stood before the word stands after it, and the reverse."""
    before, found, after = new.partition(f" {word} ")
    before2, found2, after2 = old.partition(f" {word} ")
    if not (found and found2):
        return False
    left, right = set(stems_of(before)), set(stems_of(after))
    left2, right2 = set(stems_of(before2)), set(stems_of(after2))
    return bool((left - left2) & right2) and bool((right - right2) & left2)


def _typos(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return all(any(_is_typo(one, other) for other in theirs) for one in ours)


def _is_typo(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _TYPO_CHARS or one[0] != other[0]:
        return False
    first, second = sorted((one, other))
    return SequenceMatcher(None, first, second).ratio() >= _TYPO_RATIO
