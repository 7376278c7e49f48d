"""Which memories are about some words, from the words and the meaning. Pure functions, English.

Listing is to be complete: “what do you know about my sister” brings everything about her. What
will be changed or forgotten is held to a stricter bar.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory.controls.relations import KEPT_AS, TITLE
from memory.models import KeptItem
from memory.store.memories.entries import NearItem
from memory.write.normalise import normalise

# Cosines of the local model: a topic and a memory of it lie around 0.3 to 0.6, a statement and a
# memory that says the same above 0.8, what has nothing to do with each other below 0.3.
RELATED = 0.45
NEAREST = 0.55
RESTATED = 0.8
MIN_COSINE = RELATED
_CLOSE = 0.06
_STATED_GAP = 0.25
_HALF = 0.5
# Of a whole wish, most of whose words are not those of what it means.
_NAMED = 0.2
_AS_GOOD = 0.2
_NAME_COUNTS = 2.0
# Of the weight of the heaviest word: as heavy, a word tells what of a memory is meant.
_TELLING = 0.25

_LEAD = re.compile(
    r"^\s*(?:(?:please|everything|anything|all|what|the (?:one|fact|memory|thing|part)s?|that)\s+)*"
    r"(?:(?:about|of|regarding|on|with|saying)\s+)?(?:that\s+)?",
    re.IGNORECASE,
)
_STATED = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_OWNS = re.compile(r"['’]s$")


def topic(words: str) -> str:
    """What is asked about: “everything about my ex?” → “my ex”, “that I live in Oslo” → “I live in
    Oslo”."""
    bare = words.strip().strip("?!.…\"“”'").strip()
    return _LEAD.sub("", bare, count=1) or bare


def is_statement(asked: str) -> bool:
    """Whether a whole statement is asked about (“that I live in Oslo”), which a memory may say in
    other words."""
    return _STATED.search(asked) is not None


def asked_words(asked: str) -> list[str]:
    """Each word of a topic with the words that it may be kept under, as one text."""
    words = [_OWNS.sub("", word) for word in _WORD.findall(asked)]
    return [f"{word} {KEPT_AS.get(word.lower(), '')}".strip() for word in words]


def names_for(asked: str, contents: Sequence[str]) -> list[str]:
    """Who is called what was asked for: “my sister” is Maria where a memory says “User's sister
    Maria” or “Maria is my sister”."""
    words = " ".join(asked_words(asked)).lower().split()
    titles = {word for word in words if TITLE.fullmatch(word)}
    if not titles:
        return []
    either = "|".join(map(re.escape, sorted(titles, key=len, reverse=True)))
    called = re.compile(
        rf"(?i:\b(?:{either})(?:-\w+)?(?:,| is| was)?(?: (?:named|called))?)\s+([A-Z][\w’'-]+)"
        rf"|\b([A-Z][\w’-]+)(?:,| is| was)\s+(?i:(?:my|our|(?:the )?user['’]s)\s+(?:\w+\s+)?"
        rf"(?:{either})\b)"
    )
    found = [one or other for content in contents for one, other in called.findall(content)]
    return list(dict.fromkeys(_OWNS.sub("", name) for name in found))


def choose_about(
    near: Sequence[NearItem], concepts: Sequence[frozenset[str]], names: frozenset[str]
) -> list[NearItem]:
    """What is about the asked words, the best first: it holds half of them, or the name of who was
    asked for, or its meaning is near (`RELATED`, and `NEAREST` where the words were found)."""
    spoken_of = any(coverage(each, concepts) == 1 for each in near)
    bar = NEAREST if spoken_of else RELATED
    chosen = [
        each
        for each in near
        if coverage(each, concepts) >= _HALF or each.held & names or (each.cosine or 0.0) >= bar
    ]
    return _best_first(chosen, concepts)


def choose_matching(
    asked: str,
    near: Sequence[NearItem],
    concepts: Sequence[frozenset[str]],
    names: frozenset[str],
) -> list[NearItem]:
    """What is plainly meant, the best first.

    Where a memory says the same (`RESTATED`), it and its like; else those with all asked words or
    the name of who was asked for; else those whose meaning is nearest (`NEAREST`).
    """
    best = max((each.cosine or 0.0 for each in near), default=0.0)
    if best >= RESTATED:
        return _best_first(_from(near, max(RESTATED, best - _CLOSE)), concepts)
    full = [each for each in near if concepts and coverage(each, concepts) == 1]
    if full and is_statement(asked):
        full = _from(full, max(each.cosine or 0.0 for each in full) - _STATED_GAP)
    meant = [each for each in near if each in full or each.held & names]
    if not meant:
        meant = _from(near, max(NEAREST, best - 2 * _CLOSE))
    return _best_first(meant, concepts)


@dataclass(frozen=True)
class Word:
    """One of a wish, as lexemes; `is_name` also of a number."""

    spoken: str
    lexemes: frozenset[str]
    is_name: bool


@dataclass(frozen=True)
class Meant:
    """A memory that a wish means, with the words that it shares with it; `telling` are those of
    them that few memories hold."""

    item: KeptItem
    words: tuple[str, ...]
    telling: tuple[Word, ...] = ()


def words_in(wish: str, lexemes: Sequence[frozenset[str]]) -> list[Word]:
    """The words of a wish, in order, with the lexemes of each; stop words are left out."""
    spoken = [_OWNS.sub("", word) for word in _WORD.findall(wish)]
    told = enumerate(zip(spoken, lexemes, strict=True))
    return [Word(word, held, _is_name(at, word)) for at, (word, held) in told if held]


def choose_meant(
    words: Sequence[Word], near: Sequence[NearItem], names: frozenset[str]
) -> list[Meant]:
    """What a wish means, of which only some words name it: the memory that is nearest by rare words
    and meaning, and those about as near. None where the nearest shares too little."""
    weights = _weights(words, near)
    shares = [_share(each, words, weights) for each in near]
    # Words that no memory holds say nothing of which one is meant, only of whether one is.
    known = _known_share(words, weights, near) or 1.0
    near_by = [
        share / known + max(each.cosine or 0.0, 0.0)
        for each, share in zip(near, shares, strict=True)
    ]
    least = max(near_by, default=0.0) - _AS_GOOD
    chosen = [
        (score, each)
        for each, share, score in zip(near, shares, near_by, strict=True)
        if each.held & names
        or (score >= least and (share >= _NAMED or (each.cosine or 0.0) >= NEAREST))
    ]
    chosen.sort(key=lambda scored: -scored[0])
    return [_meant(each, words, weights) for _, each in chosen]


def _known_share(
    words: Sequence[Word], weights: Sequence[float], near: Sequence[NearItem]
) -> float:
    """The weighed share of the words that some memory holds, 0 to 1."""
    held = frozenset[str]().union(*(each.held for each in near))
    told = zip(words, weights, strict=True)
    known = sum(weight for word, weight in told if word.lexemes & held)
    return known / sum(weights) if weights else 0.0


def _weights(words: Sequence[Word], near: Sequence[NearItem]) -> list[float]:
    """A word weighs the less, the more memories hold it."""
    holders = Counter(lexeme for each in near for lexeme in each.held)
    return [
        (_NAME_COUNTS if word.is_name else 1.0)
        / (1 + math.log(max(1, *(holders[lexeme] for lexeme in word.lexemes))))
        for word in words
    ]


def _share(near: NearItem, words: Sequence[Word], weights: Sequence[float]) -> float:
    """The weighed share of the words that the memory holds, 0 to 1."""
    held = sum(w for word, w in zip(words, weights, strict=True) if word.lexemes & near.held)
    return held / sum(weights) if weights else 0.0


def _meant(near: NearItem, words: Sequence[Word], weights: Sequence[float]) -> Meant:
    told = zip(words, weights, strict=True)
    shared = [(word, weight) for word, weight in told if word.lexemes & near.held]
    least = _TELLING * max((weight for _, weight in shared), default=0.0)
    telling = tuple(word for word, weight in shared if weight >= least)
    return Meant(near.item, tuple(word.spoken for word, _ in shared), telling)


def _is_name(at: int, word: str) -> bool:
    return word[:1].isdigit() or (at > 0 and word[:1].isupper() and word.casefold() != "i")


def without_copies(items: Sequence[KeptItem]) -> list[KeptItem]:
    """Of those that say the same the living one, else the first: the others go where it goes."""
    living = {normalise(item.content) for item in items if _is_living(item)}
    seen: set[str] = set()
    kept = []
    for item in items:
        said = normalise(item.content)
        if said not in seen and (_is_living(item) or said not in living):
            seen.add(said)
            kept.append(item)
    return kept


def coverage(near: NearItem, concepts: Sequence[frozenset[str]]) -> float:
    """The share of the asked words that the memory holds, 0 to 1."""
    if not concepts:
        return 0.0
    return sum(1 for concept in concepts if concept & near.held) / len(concepts)


def _is_living(item: KeptItem) -> bool:
    return item.deleted_at is None and item.superseded_by is None


def _from(near: Sequence[NearItem], cosine: float) -> list[NearItem]:
    return [each for each in near if (each.cosine or 0.0) >= cosine]


def _best_first(chosen: Sequence[NearItem], concepts: Sequence[frozenset[str]]) -> list[NearItem]:
    def rank(each: NearItem) -> tuple[float, float]:
        return coverage(each, concepts) + (each.cosine or 0.0), each.item.importance

    return sorted(chosen, key=rank, reverse=True)
