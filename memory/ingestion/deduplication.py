"""Whether a memory is new, a repeat of an older one, or replaces one, and what a repeat changes.
Pure but for a cache of judged pairs."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from itertools import islice
from threading import Lock
from typing import Literal, TypeAlias
from uuid import UUID

from memory.fingerprints import NEAR_DUPLICATE_BITS, hamming_distance
from memory.ingestion.classification import clamp, repeat_boost
from memory.ingestion.normalisation import normalise
from memory.understanding import Related, Standing
from memory.understanding.encoded_text import encode_text
from memory.understanding.relations import RELATIONS, UNRELATED, Relation, Relations, relations_of

# 003 phase 7: near-certain duplicates.
SAME_COSINE = 0.97
SAME_TEXT = 0.95
# 003 phase 7: the characters of shorter texts are not compared.
COMPARED_CHARS = 100
# 004 1.3: below it a memory is new.
NOVEL_COSINE = 0.82
# Of two words of which one is inflected.
_STEM = 4
# A vector tells nothing of what comes after 256 tokens.
_LONG_CHARS = 600
# Of equal parts in both texts, each of which difflib looks at again and again; prose has fewer,
# however long. Where there are more, it is let leave the most frequent ones aside.
_MOST_PAIRS = 60_000
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s.,;:!?…\"'-]")


def near_identical(
    content: str, other: str, *, simhash: int, other_simhash: int | None, cosine: float | None
) -> str | None:
    """Which measure calls the two one text: "text", "simhash", "cosine", or None.

    None for other numbers, however long the texts; alike is not yet the same: "my sister Maria" and
    "my sister Marie" are as near as that.
    """
    if not same_figures(content, other):
        return None
    compared = min(len(content), len(other)) >= COMPARED_CHARS
    if compared and text_ratio(content, other) >= SAME_TEXT:
        return "text"
    if (
        other_simhash is not None
        and hamming_distance(simhash, other_simhash) <= NEAR_DUPLICATE_BITS
    ):
        return "simhash"
    long = max(len(content), len(other)) > _LONG_CHARS
    if cosine is not None and cosine >= SAME_COSINE and not long:
        return "cosine"
    return None


def same_figures(one: str, other: str) -> bool:
    """Whether all numbers are the same, in their order."""
    return _FIGURE.findall(one) == _FIGURE.findall(other)


def _without_figures(text: str) -> str:
    return _FIGURE.sub("0", normalise(text))


def same_words(one: str, other: str) -> bool:
    """Whether they differ in nothing but case, punctuation, URLs and citations (000)."""
    if one == other:
        return True
    first, second = (_WORD.findall(normalise(text)) for text in (one, other))
    return bool(first) and first == second


def holds_quotation_of(new: str, old: str) -> bool:
    """Whether the first holds the second in quotation marks: it is cited, not told again."""
    return re.search(rf"[\"“„«]{re.escape(old)}[.!…]?[\"”“»]", new, re.IGNORECASE) is not None


def same_names(one: str, other: str) -> bool:
    """Whether both name the same: words with a capital, but for the first one, and numbers."""
    return _names(one) == _names(other)


def says_no_more(new: str, old: str) -> bool:
    """Whether every word of the first stands in the second as well, inflected or not; names and
    numbers to the letter."""
    if not _names(new) <= _names(old):
        return False
    there = {each[:_STEM] for each in _WORD.findall(normalise(old))}
    return all(each[:_STEM] in there for each in _WORD.findall(normalise(new)))


def _names(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", text)
    capitals = {each.casefold() for each in words[1:] if each[0].isupper() and each[1:]}
    return capitals | {each for each in words if each[0].isdigit()}


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


MAX_TAGS = 20
MAX_SOURCES = 50


@dataclass(frozen=True)
class RepeatState:
    """What a repeat may change of a memory (000, near-duplicates); its words stay those of the
    canonical item."""

    tags: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    pinned: bool = False
    manually_saved: bool = False
    importance: float = 0.0
    repeat_count: int = 0


def merge_repeat(old: RepeatState, new: RepeatState) -> RepeatState:
    """The canonical item's standing after one more repeat.

    Tags and sources are joined, flags ORed, and importance = clamp(old + repeat_boost(n)), where n
    is the number of this repeat; the repeat's own importance does not count. Nothing is lowered or
    taken away, except that lists keep their first 20 tags and 50 sources.
    """
    repeats = old.repeat_count + 1
    return RepeatState(
        tags=merge_tags(old.tags, new.tags),
        source_ids=merge_sources(old.source_ids, new.source_ids),
        pinned=old.pinned or new.pinned,
        manually_saved=old.manually_saved or new.manually_saved,
        importance=clamp(old.importance + repeat_boost(repeats)),
        repeat_count=repeats,
    )


def merge_tags(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """The old tags, then the new, each once whatever its case, as first written; 20 at most."""
    return _joined(old, new, same=str.casefold, most=MAX_TAGS)


def merge_sources(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """The old sources, then the new ones, each once; 50 at most."""
    return _joined(old, new, same=str, most=MAX_SOURCES)


def _joined(
    old: Iterable[str], new: Iterable[str], *, same: Callable[[str], str], most: int
) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for each in (*old, *new):
        first.setdefault(same(each), each)
    return tuple(islice(first.values(), most))


# Found on writers and families that were held out (docs/decisions/0026-relations.md). Replacing
# wrongly is worst.
REPLACE_FROM = 0.92
ASK_FROM = 0.5
# A reader that says how sure it is says so in round numbers.
READER_SURE_FROM = 0.88
REPEAT_FROM = 0.9
# Of two that the numbers call one text.
NEAR_REPEAT_FROM = 0.3
_ORDER = ("text", "simhash", "cosine", "restatement")
_SENTENCE_END = re.compile(r"[.!?…]\s+\S|\n\s*\S|[。！？]\S")
# Of what is farther by its cosine only what surely holds no more counts.
_NEAR_FROM = 0.3
# So many of the nearest are judged: in other languages than English what is replaced is often not
# near.
_MOST_JUDGED = 20
# Of those that surely hold no more, those whose odds are at least a third of the best are replaced:
# a change is one of one thing.
_LESS_SURE = 3.0
Relate: TypeAlias = Callable[[str, Sequence[str]], Sequence[Relations]]
# How a new memory stands to older ones, by their words, where its reader was shown them.
Told: TypeAlias = Mapping[str, Relations]
NOTHING_TOLD: Told = {}
_AS_RELATION: Mapping[Standing, Relation] = {
    "repeats": "repeats",
    "adds_to": "adds",
    "replaces": "replaces",
    "ends": "ends",
    "unsure": "replaces",
}


@dataclass(frozen=True)
class NearMemory:
    """A memory of the same user and space that may say the same or the contrary.

    `replaced`: it was superseded by a later one, and is here in case that it holds again.
    """

    id: UUID
    content: str
    simhash: int | None
    cosine: float | None
    pinned: bool
    manually_saved: bool
    created_at: datetime
    occurred_at: datetime | None
    replaced: bool

    @property
    def kept_by_hand(self) -> bool:
        return self.pinned or self.manually_saved

    @property
    def has_happened(self) -> bool:
        """Whether it had when it was told: nothing that is told later takes that back."""
        return self.occurred_at is not None and self.occurred_at <= self.created_at


@dataclass(frozen=True)
class NoveltyDecision:
    """`of`: the canonical memory of a repeat, those replaced (oldest first), or the one that is
    asked about.

    `why` is one machine word for the audit: "text", "simhash", "cosine", "restatement",
    "revived", "change", "ending".
    """

    kind: Literal["new", "repeat", "replace", "ask"]
    of: tuple[UUID, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class _Compared:
    """A neighbour with what makes it the same as the new memory, and how both stand."""

    neighbour: NearMemory
    likeness: str | None
    relations: Relations
    new: str

    @property
    def why(self) -> str:
        return "change" if self.relations.replaces >= self.relations.ends else "ending"

    @property
    def may_be_replaced(self) -> bool:
        """Not by itself where somebody kept it by hand, where it tells several things, nor where
        nothing but numbers differ, which may be names: “ticket 12 is late”, “ticket 13 is late”."""
        told = self.neighbour
        if told.has_happened or _without_figures(told.content) == _without_figures(self.new):
            return False
        several = _SENTENCE_END.search(told.content) is not None
        sure = self.relations.over >= REPLACE_FROM and self.relations.whole
        return sure and not told.kept_by_hand and not several

    @property
    def may_be_asked_about(self) -> bool:
        sure = self.relations.over >= ASK_FROM and self.relations.whole
        return sure and not self.neighbour.has_happened


def decide_novelty(
    content: str,
    simhash: int,
    neighbours: Sequence[NearMemory],
    relate: Relate = relations_of,
    told: Told = NOTHING_TOLD,
) -> NoveltyDecision:
    """What becomes of a new memory, whatever the order of its neighbours.

    A living memory that says the same makes it a repeat. Those that surely hold no more are
    replaced; the likeliest one is asked about where it is doubtful or was kept by hand. A replaced
    memory that holds again is revived, provided that a living one is replaced by it. `relate` is
    `relations_of`, or what answers the same quicker; it is not asked of what a reader has `told`.
    """
    now = [each for each in neighbours if not each.replaced]
    living = _compared(content, simhash, now, relate, told)
    if repeat := _repeat(living):
        return repeat
    if sure := _about_as_sure([each for each in living if each.may_be_replaced]):
        before = [each for each in neighbours if each.replaced]
        if again := _repeat(_compared(content, simhash, before, relate, told)):
            return NoveltyDecision("repeat", again.of, "revived")
        return NoveltyDecision("replace", tuple(each.neighbour.id for each in sure), sure[0].why)
    doubtful = [each for each in living if each.may_be_asked_about]
    if not doubtful:
        return NoveltyDecision("new")
    likeliest = max(doubtful, key=lambda each: each.relations.over)
    return NoveltyDecision("ask", (likeliest.neighbour.id,), likeliest.why)


def _about_as_sure(replaced: Sequence[_Compared]) -> list[_Compared]:
    best = max((each.relations.over for each in replaced), default=0.0)
    least = best / (best + _LESS_SURE * (1 - best))
    return [each for each in replaced if each.relations.over >= least]


def relations_told(related: Related) -> Relations:
    """What a reader says, as the model of pairs would: what it is unsure of is asked about, and
    what it is sure of holds."""
    sure = ASK_FROM if related.standing == "unsure" else related.sure
    if sure >= READER_SURE_FROM:
        sure = max(sure, REPLACE_FROM)
    relation = _AS_RELATION.get(related.standing)
    if relation is None:
        return UNRELATED
    shares = {**dict.fromkeys(RELATIONS, 0.0), "other": 1 - sure, relation: sure}
    return Relations(**shares, whole=True)


def _compared(
    content: str, simhash: int, neighbours: Sequence[NearMemory], relate: Relate, told: Told
) -> list[_Compared]:
    """Oldest first."""
    older = sorted(neighbours, key=_age)
    untold = [each for each in older if each.content not in told]
    placed = [each for each in untold if each.cosine is not None]
    nearest = sorted(placed, key=lambda each: -(each.cosine or 0.0))[:_MOST_JUDGED]
    judged = relate(content, [each.content for each in nearest])
    known = {
        each.content: relations
        for each, relations in zip(nearest, judged, strict=True)
        if (each.cosine or 0.0) >= _NEAR_FROM or relations.over >= REPLACE_FROM
    }
    known |= told
    return [
        _Compared(
            each, _likeness(content, simhash, each, relations), relations or UNRELATED, content
        )
        for each in older
        for relations in [known.get(each.content)]
    ]


def _likeness(
    content: str, simhash: int, other: NearMemory, relations: Relations | None
) -> str | None:
    """`relations` is None where they were not judged. What numbers call the same is asked of the
    model, and what the model calls the same of the words: to take something new for a repeat loses
    it."""
    if same_words(content, other.content) or holds_quotation_of(content, other.content):
        return "text"
    near = near_identical(
        content,
        other.content,
        simhash=simhash,
        other_simhash=other.simhash,
        cosine=other.cosine,
    )
    if near and same_names(content, other.content):
        if relations is not None and relations.whole and relations.repeats < NEAR_REPEAT_FROM:
            return None
        return near
    if relations is None or (other.cosine or 0.0) < NOVEL_COSINE:
        return None
    again = relations.repeats >= REPEAT_FROM and relations.whole
    return "restatement" if again and says_no_more(content, other.content) else None


def _repeat(candidates: Sequence[_Compared]) -> NoveltyDecision | None:
    """The candidate that is most alike; among equals one kept by hand, then the oldest."""
    alike = [each for each in candidates if each.likeness]
    if not alike:
        return None
    best = min(alike, key=lambda each: (_rank(each), not each.neighbour.kept_by_hand))
    return NoveltyDecision("repeat", (best.neighbour.id,), best.likeness or "")


def _rank(candidate: _Compared) -> int:
    return _ORDER.index(candidate.likeness or "restatement")


def _age(neighbour: NearMemory) -> tuple[datetime, str, str]:
    return neighbour.created_at, str(neighbour.id), neighbour.content


MOST_JUDGED = 2000


class RelationCache:
    """`relate`, which remembers the `most` pairs that it judged last; 0 remembers nothing.

    What it remembers is in this process alone and is written nowhere. Words cannot be taken out
    one by one, so whoever forgets or erases memories calls `clear`. Other processes that serve
    the same user drop them as they read others, or when they end.
    """

    def __init__(self, most: int = MOST_JUDGED, relate: Relate = relations_of) -> None:
        self._most = most
        self._relate = relate
        self._judged: OrderedDict[tuple[str, str], Relations] = OrderedDict()
        self._lock = Lock()

    def __call__(self, new: str, older: Sequence[str]) -> list[Relations]:
        with self._lock:
            known = {each: self._judged.get((new, each)) for each in older}
        missing = [each for each, relations in known.items() if relations is None]
        judged = dict(zip(missing, self._relate(new, missing), strict=True))
        with self._lock:
            for each, relations in judged.items():
                self._judged[new, each] = relations
            while len(self._judged) > self._most:
                self._judged.popitem(last=False)
        return [known[each] or judged[each] for each in older]

    def clear(self) -> None:
        """Drops everything, the texts that the encoder read last as well."""
        encode_text.cache_clear()
        with self._lock:
            self._judged.clear()
