"""Which memories are about some words, by the words, their synonyms and the meaning (English), and
which ones a wish to forget means, in any language that the reader knows."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from memory.embeddings.protocol import BestEffortEmbedder
from memory.ingestion.deduplication import Relate
from memory.ingestion.normalisation import normalise
from memory.retrieval.query import prepare_query
from memory.store.memory_entries import MemoryEntryStore, TopicHit
from memory.types import StoredMemory
from memory.understanding.relations import Relations

# What is asked for, and the other words that it may be kept under.
SYNONYMS = {
    "mother": "mom mum mama mommy",
    "mom": "mother mum",
    "mum": "mother mom",
    "father": "dad papa daddy",
    "dad": "father",
    "parents": "mother father mom mum dad parent",
    "sister": "sis sibling",
    "brother": "bro sibling",
    "siblings": "sister brother sibling",
    "sibling": "sister brother",
    "kids": "son daughter child children kid",
    "children": "son daughter kid child",
    "wife": "spouse",
    "husband": "spouse",
    "spouse": "wife husband",
    "partner": "wife husband girlfriend boyfriend spouse fiancé fiancée",
    "girlfriend": "partner",
    "boyfriend": "partner",
    "grandmother": "grandma granny",
    "grandma": "grandmother granny",
    "grandfather": "grandpa granddad",
    "grandpa": "grandfather granddad",
    "grandparents": "grandmother grandfather grandma grandpa",
    "family": (
        "mother father mom mum dad parent sister brother sibling wife husband spouse partner son "
        "daughter child kid uncle aunt cousin niece nephew grandmother grandfather grandma grandpa"
    ),
    "boss": "manager supervisor",
    "manager": "boss",
    "colleagues": "coworker colleague teammate",
    "job": "work employer company profession occupation",
    "work": "job employer office",
    "home": "live house flat apartment address",
    "address": "live home street",
    "flat": "apartment",
    "apartment": "flat",
    "pets": "dog cat pet rabbit hamster parrot",
    "food": "eat drink allergic allergy vegetarian vegan meal dish cook restaurant",
    "diet": "eat vegetarian vegan allergic allergy",
}

# What somebody is to the user, with a name of their own.
RELATIONSHIP = re.compile(
    r"mother|mom|mum|father|dad|sister|brother|sibling|son|daughter|child|kid|wife|husband|spouse"
    r"|partner|girlfriend|boyfriend|fiancée?|ex|friend|neighbou?r|boss|manager|supervisor|colleague"
    r"|coworker|teacher|doctor|dentist|therapist|uncle|aunt|cousin|niece|nephew|grandmother"
    r"|grandma|grandfather|grandpa|dog|cat|pet|rabbit|hamster|parrot|horse"
)


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
# So rare beside the rarest that any memory shares with it, a word tells what a wish means; “de” and
# “no” stand in memories of anything.
_AS_RARE = 0.5
# From so probable on, a text is meant by a wish to forget; so many memories are judged of those
# that hold the most words of it, and of the nearest (docs/decisions/0028-wishes-to-forget.md).
MEANT_FROM, SURELY_MEANT = 0.4, 0.9
# Of several, those whose odds are at least two thirds of the best, and the likely ones.
_LESS_LIKELY, _LIKELY = 1.5, 0.85
_MOST_JUDGED = 60

_LEAD = re.compile(
    r"^\s*(?:(?:please|everything|anything|all|what|the (?:one|fact|memory|thing|part)s?|that)\s+)*"
    r"(?:(?:about|of|regarding|on|with|saying)\s+)?(?:that\s+)?",
    re.IGNORECASE,
)
_STATED = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"\S.*?(?:(?<=[.!?…])(?=\s)|(?=\n)|\Z)", re.DOTALL)
_OWNS = re.compile(r"['’]s$")


def extract_topic(words: str) -> str:
    """What is asked about: “everything about my ex?” → “my ex”, “that I live in Oslo” → “I live in
    Oslo”."""
    bare = words.strip().strip("?!.…\"“”'").strip()
    return _LEAD.sub("", bare, count=1) or bare


def is_statement(asked: str) -> bool:
    """Whether a whole statement is asked about (“that I live in Oslo”), which a memory may say in
    other words."""
    return _STATED.search(asked) is not None


def topic_words(asked: str) -> list[str]:
    """Each word of a topic with the words that it may be kept under, as one text."""
    words = [_OWNS.sub("", word) for word in _WORD.findall(asked)]
    return [f"{word} {SYNONYMS.get(word.lower(), '')}".strip() for word in words]


def find_names_of(asked: str, contents: Sequence[str]) -> list[str]:
    """Who is called what was asked for: “my sister” is Maria where a memory says “User's sister
    Maria” or “Maria is my sister”."""
    words = " ".join(topic_words(asked)).lower().split()
    titles = {word for word in words if RELATIONSHIP.fullmatch(word)}
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


def filter_about(
    near: Sequence[TopicHit], concepts: Sequence[frozenset[str]], names: frozenset[str]
) -> list[TopicHit]:
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


def filter_matching(
    asked: str,
    near: Sequence[TopicHit],
    concepts: Sequence[frozenset[str]],
    names: frozenset[str],
) -> list[TopicHit]:
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
class QueryWord:
    """One of a wish, as lexemes; `is_name` also of a number."""

    spoken: str
    lexemes: frozenset[str]
    is_name: bool


@dataclass(frozen=True)
class MatchedMemory:
    """A memory that a wish means, with the words that it shares with it."""

    item: StoredMemory
    words: tuple[str, ...]


def query_words(wish: str, lexemes: Sequence[frozenset[str]]) -> list[QueryWord]:
    """The words of a wish, in order, with the lexemes of each; stop words are left out."""
    spoken = [_OWNS.sub("", word) for word in _WORD.findall(wish)]
    told = enumerate(zip(spoken, lexemes, strict=True))
    return [QueryWord(word, held, _is_name(at, word)) for at, (word, held) in told if held]


def rank_targets(
    words: Sequence[QueryWord], near: Sequence[TopicHit], names: frozenset[str]
) -> list[MatchedMemory]:
    """What a wish means, of which only some words name it: the memory that is nearest by rare words
    and meaning, and those about as near that share a word as rare. None where the nearest shares
    too little."""
    weights = _weights(words, near)
    shares = [_share(each, words, weights) for each in near]
    near_by = [
        share + max(each.cosine or 0.0, 0.0) for each, share in zip(near, shares, strict=True)
    ]
    least = max(near_by, default=0.0) - _AS_GOOD
    rarest = [_rarest(each, words, weights) for each in near]
    about = (rarity for rarity, score in zip(rarest, near_by, strict=True) if score >= least)
    rare = max(about, default=0.0) * _AS_RARE
    chosen = [
        (score, each)
        for each, share, rarity, score in zip(near, shares, rarest, near_by, strict=True)
        if each.held & names
        or (
            score >= least
            and rarity >= rare
            and (share >= _NAMED or (each.cosine or 0.0) >= NEAREST)
        )
    ]
    chosen.sort(key=lambda scored: -scored[0])
    return [_meant(each, words) for _, each in chosen]


def _weights(words: Sequence[QueryWord], near: Sequence[TopicHit]) -> list[float]:
    """A word weighs the less, the more memories hold it."""
    holders = Counter(lexeme for each in near for lexeme in each.held)
    return [
        (_NAME_COUNTS if word.is_name else 1.0)
        / (1 + math.log(max(1, *(holders[lexeme] for lexeme in word.lexemes))))
        for word in words
    ]


def _share(near: TopicHit, words: Sequence[QueryWord], weights: Sequence[float]) -> float:
    """The weighed share of the words that the memory holds, 0 to 1."""
    held = sum(w for word, w in zip(words, weights, strict=True) if word.lexemes & near.held)
    return held / sum(weights) if weights else 0.0


def _rarest(near: TopicHit, words: Sequence[QueryWord], weights: Sequence[float]) -> float:
    """The weight of the heaviest word that the memory holds, 0 where it holds none."""
    held = (w for word, w in zip(words, weights, strict=True) if word.lexemes & near.held)
    return max(held, default=0.0)


def _meant(near: TopicHit, words: Sequence[QueryWord]) -> MatchedMemory:
    shared = (word.spoken for word in words if word.lexemes & near.held)
    return MatchedMemory(near.item, tuple(shared))


def probably_meant(wish: str, texts: Sequence[str], relate: Relate) -> list[float]:
    """How probable it is, 0 to 1, that the wish to forget means each of the texts, or says it
    again; of one that is too long to be read whole, one of its sentences. Blocking."""
    judged = relate(wish, texts)
    return [
        _meant_share(each)
        if each.whole
        else max(
            _meant_share(one)
            for one in relate(wish, [sentence for _, sentence in sentences_at(text)])
        )
        for each, text in zip(judged, texts, strict=True)
    ]


def _meant_share(relations: Relations) -> float:
    return relations.over + relations.repeats


def _less_likely(share: float) -> float:
    """The probability whose odds are two thirds of those of the share."""
    return share / (share + _LESS_LIKELY * (1 - share))


def sentences_at(text: str) -> list[tuple[int, str]]:
    """Its sentences and lines, each with where it begins."""
    return [(each.start(), each[0]) for each in _SENTENCE.finditer(text)]


def _is_name(at: int, word: str) -> bool:
    return word[:1].isdigit() or (at > 0 and word[:1].isupper() and word.casefold() != "i")


def without_copies(items: Sequence[StoredMemory]) -> list[StoredMemory]:
    """Of those that say the same the living one, else the first: the others go where it goes."""
    living = {normalise(item.content) for item in items if is_living(item)}
    seen: set[str] = set()
    kept = []
    for item in items:
        said = normalise(item.content)
        if said not in seen and (is_living(item) or said not in living):
            seen.add(said)
            kept.append(item)
    return kept


def coverage(near: TopicHit, concepts: Sequence[frozenset[str]]) -> float:
    """The share of the asked words that the memory holds, 0 to 1."""
    if not concepts:
        return 0.0
    return sum(1 for concept in concepts if concept & near.held) / len(concepts)


def is_living(item: StoredMemory) -> bool:
    return item.deleted_at is None and item.superseded_by is None


def _from(near: Sequence[TopicHit], cosine: float) -> list[TopicHit]:
    return [each for each in near if (each.cosine or 0.0) >= cosine]


def _best_first(chosen: Sequence[TopicHit], concepts: Sequence[frozenset[str]]) -> list[TopicHit]:
    def rank(each: TopicHit) -> tuple[float, float]:
        return coverage(each, concepts) + (each.cosine or 0.0), each.item.importance

    return sorted(chosen, key=rank, reverse=True)


class MemoryMatcher:
    """Finds the memories that a topic names, by its words and its meaning. Every method names its
    user. Where the embedder does not answer, the words and the newest are all that is looked at."""

    def __init__(
        self, store: MemoryEntryStore, embedder: BestEffortEmbedder, relate: Relate
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._relate = relate

    async def about(self, user_id: str, space: str, words: str) -> list[StoredMemory]:
        """Everything known about the words, the best first, whether memory is on or off."""
        near, lexemes, names = await self._near(user_id, space, extract_topic(words))
        return [each.item for each in filter_about(near, _concepts(lexemes), names)]

    async def matching(
        self, user_id: str, space: str, words: str, *, removed: bool = False
    ) -> list[StoredMemory]:
        """The memories that the words plainly mean, the best first; with `removed` also what was
        replaced or trimmed or has expired, without what says the same as another of them."""
        asked = extract_topic(words)
        near, lexemes, names = await self._near(user_id, space, asked, removed=removed)
        found = [each.item for each in filter_matching(asked, near, _concepts(lexemes), names)]
        return without_copies(found) if removed else found

    async def naming(self, user_id: str, space: str, words: str) -> list[tuple[StoredMemory, bool]]:
        """As `matching`, with whether each holds all of the words."""
        asked = extract_topic(words)
        near, lexemes, names = await self._near(user_id, space, asked)
        concepts = _concepts(lexemes)
        found = filter_matching(asked, near, concepts, names)
        return [(each.item, coverage(each, concepts) == 1) for each in found]

    async def holding(self, user_id: str, space: str, said: str) -> list[StoredMemory]:
        """The living memories that hold words which tell what is said, the best first."""
        near, lexemes, names = await self._near(user_id, space, said)
        found = rank_targets(query_words(said, lexemes), near, names)
        return [each.item for each in found if each.words]

    async def meant(
        self, user_id: str, space: str, wish: str, least: float = MEANT_FROM
    ) -> list[MatchedMemory]:
        """The living memories that a wish to forget means, the likeliest first: at `least` so
        probably, and about as probably as the likeliest."""
        near, lexemes = await self._nearest(user_id, space, wish, _MOST_JUDGED)
        contents = [each.item.content for each in near]
        shares = await asyncio.to_thread(probably_meant, wish, contents, self._relate)
        likely = min(_LIKELY, _less_likely(max(shares, default=0.0)))
        least = max(least, likely)
        told = zip(shares, near, strict=True)
        meant = [(share, each) for share, each in told if share >= least]
        meant.sort(key=lambda scored: -scored[0])
        said = query_words(wish, lexemes)
        return [_meant(each, said) for _, each in meant]

    async def nearest(self, user_id: str, space: str, said: str, most: int) -> list[StoredMemory]:
        """Of the living memories `most` of those that hold the most words of what is said, and
        `most` of the nearest."""
        near, _ = await self._nearest(user_id, space, said, most)
        return [each.item for each in near]

    async def _nearest(
        self, user_id: str, space: str, said: str, most: int
    ) -> tuple[list[TopicHit], list[frozenset[str]]]:
        """See `nearest`; with the lexemes of each word of it."""
        lexemes = await self._store.lexemes(user_id, topic_words(said))
        words = frozenset[str]().union(*lexemes)
        embedding = await self._embedder.embed_query(prepare_query(said) or None)
        return await self._store.nearest(user_id, space, words, embedding, most), lexemes

    async def telling_words(self, user_id: str, text: str) -> list[str]:
        """Its words but for stop words."""
        lexemes = await self._store.lexemes(user_id, topic_words(text))
        return [word.spoken for word in query_words(text, lexemes)]

    async def _near(
        self,
        user_id: str,
        space: str,
        asked: str,
        *,
        removed: bool = False,
    ) -> tuple[list[TopicHit], list[frozenset[str]], frozenset[str]]:
        """The memories near a topic, each of its words as lexemes, and those of the names it goes
        by."""
        lexemes = await self._store.lexemes(user_id, topic_words(asked))
        embedding = await self._embedder.embed_text(prepare_query(asked) or None)
        find = partial(
            self._store.find_near,
            user_id,
            space,
            embedding=embedding,
            min_cosine=MIN_COSINE,
            removed=removed,
        )
        words = frozenset[str]().union(*lexemes)
        near = await find(words=words)
        called = find_names_of(asked, [each.item.content for each in near if each.held])
        if not called:
            return near, lexemes, frozenset()
        names = frozenset[str]().union(*await self._store.lexemes(user_id, called))
        near = await find(words=words | names)
        return near, lexemes, names


def _concepts(lexemes: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Without stop words."""
    return [each for each in lexemes if each]
