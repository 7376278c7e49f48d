"""Forgetting what was only said: which sentences of past messages are about some words.

The words decide, in English, and of a wish in whole words what it means: what goes from a
conversation plainly holds the words.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from uuid import UUID

from memory.actions.forgetting.cache_invalidation import CacheInvalidator, ForgettingListeners
from memory.actions.forgetting.redaction import (
    FORGOTTEN_MARK,
    SentenceMatcher,
    episode_texts,
    join_without,
    reword_episode,
    split_pieces,
)
from memory.actions.matching import (
    MEANT_FROM,
    RELATIONSHIP,
    extract_topic,
    find_names_of,
    is_statement,
    probably_meant,
    topic_words,
)
from memory.errors import CopiesRemain
from memory.ingestion.deduplication import RelationCache
from memory.retrieval.names import find_names
from memory.store.erasure import TranscriptMessage, TranscriptStore
from memory.store.forgetting import ExtraDeletions, HistoryChoice, TranscriptRedaction
from memory.store.messages import title_from
from memory.types import Origin, StoredEpisode, StoredMemory

_WORD = re.compile(r"[^\W_]+")
# “He told me …” goes on about whom the sentence before it named.
_GOES_ON = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|now|because|since)\W+)*"
    r"(?:he|she|they|him|her|his|hers|their|theirs|them)\b(?!\W+who\b)",
    re.IGNORECASE,
)
# What only tells to forget it says nothing of it.
_WISH = re.compile(
    r"^\W*(?:(?:please|ok|okay|hey|keepsake|now|actually|and|so|but|no|well|just|also"
    r"|(?:can|could|will|would) you|i (?:want|need) you to|i'?d like you to)\W+)*"
    r"(?:forget|un-?learn|un-?remember|stop remembering|do(?:n'?t| not) remember|erase|delete"
    r"|remove)\b",
    re.IGNORECASE,
)

Way = frozenset[str]
"""The lexemes of one way to say something; all of them are needed."""


@dataclass(frozen=True)
class TopicQuery:
    """What is asked about: `concepts`, each with the ways to say it, of which one is enough. It
    is only met where each concept is; with a `wish` to forget in whole words only by what that
    means."""

    concepts: tuple[frozenset[Way], ...]
    wish: str = ""

    def is_met_by(self, held: frozenset[str]) -> bool:
        return bool(self.concepts) and all(
            any(way <= held for way in ways) for ways in self.concepts
        )

    def is_touched_by(self, held: frozenset[str]) -> bool:
        """Whether one of the concepts is met."""
        return any(way <= held for ways in self.concepts for way in ways)


@dataclass(frozen=True)
class MessageRedaction:
    """A message with the places of the sentences that go from it; see `split_pieces`."""

    message: TranscriptMessage
    places: frozenset[int]

    @property
    def left(self) -> str:
        """What stays, with the mark in their place."""
        return join_without(split_pieces(self.message.content), self.places)

    @property
    def takes_all(self) -> bool:
        return not self.left.replace(FORGOTTEN_MARK, "").strip()

    @property
    def passages(self) -> list[str]:
        """What goes, sentences in a row as one."""
        pieces = split_pieces(self.message.content)
        found: list[str] = []
        for place in sorted(self.places):
            goes_on = place - 2 in self.places
            if goes_on:
                found[-1] += f" {pieces[place].strip()}"
            else:
                found.append(pieces[place].strip())
        return found


def plain_words(text: str) -> str:
    """The words of a text without what joins them, so that no address or path hides one, and
    without the mark of what was forgotten before."""
    return " ".join(_WORD.findall(text.replace(FORGOTTEN_MARK, " ")))


def ways_to_say(asked: str) -> list[list[str]]:
    """For each word of a topic itself and the words that it may be kept under."""
    return [words.split() for words in topic_words(asked)]


def make_topic_query(
    ways: Sequence[Sequence[str]],
    lexemes: Mapping[str, frozenset[str]],
    names: Iterable[frozenset[str]],
) -> TopicQuery:
    """From the words of a topic and their lexemes; a word without lexemes says nothing. Where it
    is what somebody is to the user (“my sister”), the `names` of that person say it too."""
    called = frozenset(name for name in names if name)
    concepts = []
    for words in ways:
        if not lexemes[words[0]]:
            continue
        said = frozenset(lexemes[word] for word in words if lexemes[word])
        is_title = any(RELATIONSHIP.fullmatch(word.lower()) for word in words)
        concepts.append(said | called if is_title else said)
    return TopicQuery(tuple(concepts))


def sentences_about(
    pieces: Sequence[str], held: Sequence[frozenset[str]], sought: TopicQuery
) -> frozenset[int]:
    """The places of the sentences that meet what is sought, alone or with those that go on from
    them. `held` has the lexemes of each sentence, in their order."""
    gone: set[int] = set()
    for passage in _passages(pieces):
        together = frozenset[str]().union(*(held[place // 2] for place in passage))
        if sought.is_met_by(together):
            gone |= {
                place for place in passage if pieces[place].strip() not in {"", FORGOTTEN_MARK}
            }
    return frozenset(gone)


def with_replies(
    goings: Sequence[MessageRedaction], replies: Iterable[TranscriptMessage]
) -> list[MessageRedaction]:
    """The messages that go from with what was answered in the same turns: there fewer words are
    enough, see `SentenceMatcher`."""
    found = {each.message.id: each for each in goings}
    told: dict[UUID, list[str]] = {}
    for each in goings:
        if each.message.role == "user":
            told.setdefault(each.message.correlation_id, []).extend(each.passages)
    for reply in replies:
        pieces = split_pieces(reply.content)
        known = found.get(reply.id)
        places = (known.places if known else frozenset()) | _close(
            pieces, told.get(reply.correlation_id, ())
        )
        if places:
            found[reply.id] = MessageRedaction(reply, places)
    return sorted(found.values(), key=lambda each: each.message.created_at)


def without_requests(goings: Sequence[MessageRedaction]) -> list[MessageRedaction]:
    """Those that say something of it: not the turns in which the user only told to forget it."""
    wishes = {
        each.message.correlation_id
        for each in goings
        if each.message.role == "user" and all(map(_WISH.match, each.passages))
    }
    return [each for each in goings if each.message.correlation_id not in wishes]


def make_unsaying(
    goings: Sequence[MessageRedaction], retitled: Mapping[UUID, str | None], history: HistoryChoice
) -> TranscriptRedaction:
    """What is to be done, as the user chose for the messages: redact or delete."""
    if history == "delete":
        taken = tuple(each.message.id for each in goings)
        return TranscriptRedaction({}, taken, retitled, history)
    return TranscriptRedaction(
        {each.message.id: each.left for each in goings}, (), retitled, history
    )


def make_titles(
    titles: Mapping[UUID, str],
    places: Mapping[UUID, frozenset[int]],
    goings: Sequence[MessageRedaction],
    history: HistoryChoice,
) -> dict[UUID, str | None]:
    """New titles: of those that a message gave what is left of it, of others without their
    sentences about it, whose `places` are given."""
    new: dict[UUID, str | None] = {
        chat: join_without(split_pieces(titles[chat]), gone)
        for chat, gone in places.items()
        if gone
    }
    for each in goings:
        chat = each.message.conversation_id
        if titles.get(chat) == title_from(each.message.content) is not None:
            new[chat] = title_from("" if history == "delete" else each.left)
    return new


def _passages(pieces: Sequence[str]) -> list[list[int]]:
    found: list[list[int]] = []
    for place in range(0, len(pieces), 2):
        if found and _GOES_ON.match(pieces[place]):
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _close(pieces: Sequence[str], told: Collection[str]) -> frozenset[int]:
    abouts = [SentenceMatcher(said, closely=True) for said in told]
    return frozenset(
        place
        for place in range(0, len(pieces), 2)
        if pieces[place].strip() not in {"", FORGOTTEN_MARK}
        and any(about.tells(pieces[place]) for about in abouts)
    )


@dataclass(frozen=True)
class TranscriptMatches:
    """What was said about some words: `telling` are the messages that say something of it, the
    oldest first, and `messages` the ids of those and of all others from which it would go."""

    space: str
    asked: str
    sought: TopicQuery
    telling: tuple[MessageRedaction, ...]
    messages: tuple[UUID, ...]


class TranscriptRedactor:
    """Forgets what was only said: past messages about some words, of which no memory was kept.
    Every method names its user."""

    def __init__(
        self,
        store: TranscriptStore,
        copies: CacheInvalidator,
        pairs: RelationCache,
        hearers: ForgettingListeners | None = None,
    ) -> None:
        self._store = store
        self._copies = copies
        self._pairs = pairs
        self._hearers = hearers or ForgettingListeners()

    async def find(
        self,
        user_id: str,
        space: str,
        words: str,
        *,
        wish: str = "",
        known: Sequence[str] = (),
        not_turn: UUID | None = None,
    ) -> TranscriptMatches | None:
        """What the user and the assistant said about the words in the space's conversations, but
        for the turn `not_turn`; of that, where the words are those of a `wish` to forget, only what
        it means. None where nothing tells of it.

        A sentence is about them where it holds each of them, as the keyword search stems words, or
        another word for it; “my sister” also by her name, where a message or one of the `known`
        memories says it. A sentence that goes on about “he”, “she” or “they” belongs to the one
        before it.
        """
        asked = extract_topic(words)
        rows, sought = await self._about(user_id, space, asked, known, not_turn)
        sought = replace(sought, wish=wish)
        goings = await self._going(user_id, rows, sought)
        turns = {each.message.correlation_id for each in goings if each.message.role == "user"}
        replies = await self._store.replies(user_id, turns)
        goings = await asyncio.to_thread(with_replies, goings, replies)
        shown = await asyncio.to_thread(without_requests, goings)
        if not shown:
            return None
        ids = tuple(each.message.id for each in goings)
        return TranscriptMatches(space, asked, sought, tuple(shown), ids)

    async def named(
        self, user_id: str, found: TranscriptMatches, items: Sequence[StoredMemory]
    ) -> list[StoredMemory]:
        """The memories that hold one of the words, where the words plainly stand in what was said:
        a memory that is only near in meaning is then not meant. Of a whole statement all, since a
        memory may say it in other words."""
        if is_statement(found.asked):
            return list(items)
        texts = [plain_words(" ".join((item.content, *item.tags))) for item in items]
        held = await self._store.lexemes(user_id, texts)
        told = zip(items, held, strict=True)
        return [item for item, words in told if found.sought.is_touched_by(words)]

    async def clear_copies(self, user_id: str, found: TranscriptMatches) -> None:
        """Removes what the caches hold of it, before anything else is forgotten. Raises
        CopiesRemain where they cannot be reached."""
        rows = await self._store.read(user_id, found.messages)
        texts = [found.asked, *(row.content for row in rows)]
        cleared = await self._copies.forget_vectors(texts)
        if not (await self._drop_sessions(user_id, rows) and cleared):
            raise CopiesRemain

    async def forget(
        self,
        user_id: str,
        found: TranscriptMatches,
        origin: Origin,
        *,
        history: HistoryChoice = "redact",
        asked_in: UUID | None = None,
    ) -> int:
        """Takes the sentences out of the messages that were found, and out of titles, or deletes
        those messages; how many. What was said since is left alone. The turn `asked_in`, which
        named it in order to forget it, is blanked.

        Vectors, search rows and cached conversations go with the words, and nothing is learned
        from what is left. Raises CopiesRemain, and forgets nothing, where a cache cannot be
        reached.
        """
        await self.clear_copies(user_id, found)
        unsaying = await self.unsaying(user_id, found, history)
        besides = ExtraDeletions(unsaying, asked_in)
        await self._store.remove(user_id, besides, origin)
        await self.clear_copies_again(user_id, unsaying, origin)
        return besides.messages

    async def unsaying(
        self, user_id: str, found: TranscriptMatches, history: HistoryChoice
    ) -> TranscriptRedaction:
        """What `forget` does to messages, titles and episodes."""
        rows = await self._store.read(user_id, found.messages)
        goings = await self._going(user_id, rows, found.sought)
        turns = {each.message.correlation_id for each in goings}
        replies = [row for row in rows if row.role == "assistant" and row.correlation_id in turns]
        goings = await asyncio.to_thread(with_replies, goings, replies)
        titles = await self._retitled(user_id, found, goings, history)
        episodes = await self._episodes(user_id, found)
        return replace(
            make_unsaying(goings, titles, history),
            episodes=episodes,
            conversations=frozenset(row.conversation_id for row in rows),
        )

    async def clear_copies_again(
        self, user_id: str, unsaying: TranscriptRedaction, origin: Origin
    ) -> None:
        """Once more: a turn that began in between has read the words, under a stamp that still
        holds."""
        self._pairs.clear()
        self._hearers.tell(user_id, origin.correlation_id)
        await self._copies.drop_sessions(user_id, sorted(unsaying.conversations))
        await self._copies.rewrite_file()

    async def _about(
        self,
        user_id: str,
        space: str,
        asked: str,
        known: Sequence[str],
        not_turn: UUID | None,
    ) -> tuple[list[TranscriptMessage], TopicQuery]:
        """The messages that may tell of it, and what they are held to."""
        ways = ways_to_say(asked)
        lexemes = await self._lexemes(user_id, {word for words in ways for word in words})
        ways = [words for words in ways if lexemes[words[0]]]
        if not ways:
            return [], TopicQuery(())
        texts = [plain_words(" ".join(words)) for words in ways]
        plain = [word for words in ways for word in plain_words(words[0]).split()]
        rows = await self._store.about(user_id, space, " ".join(texts), plain, not_turn)
        called = await asyncio.to_thread(_names, asked, [*known, *_told_by_user(rows)])
        if called:
            texts, plain = [*texts, *called], [*plain, *called]
            rows = await self._store.about(user_id, space, " ".join(texts), plain, not_turn)
        names = await self._lexemes(user_id, set(called))
        return rows, make_topic_query(ways, lexemes, names.values())

    async def _going(
        self, user_id: str, rows: Sequence[TranscriptMessage], sought: TopicQuery
    ) -> list[MessageRedaction]:
        places = await self._places(user_id, [row.content for row in rows], sought)
        return [MessageRedaction(row, gone) for row, gone in zip(rows, places, strict=True) if gone]

    async def _places(
        self, user_id: str, texts: Sequence[str], sought: TopicQuery
    ) -> list[frozenset[int]]:
        """Of each text the places of the sentences that are about it."""
        all_pieces, words = await asyncio.to_thread(_in_pieces, texts)
        held = iter(await self._store.lexemes(user_id, words))

        def find() -> list[frozenset[int]]:
            found = [
                sentences_about(pieces, list(islice(held, len(pieces[::2]))), sought)
                for pieces in all_pieces
            ]
            if not sought.wish:
                return found
            told = zip(all_pieces, found, strict=True)
            return [self._meant(pieces, places, sought.wish) for pieces, places in told]

        return await asyncio.to_thread(find)

    def _meant(self, pieces: Sequence[str], places: Set[int], wish: str) -> frozenset[int]:
        """Those of the places whose passage the wish means."""
        passages = ([at for at in passage if at in places] for passage in _passages(pieces))
        going = [passage for passage in passages if passage]
        told = [" ".join(pieces[at].strip() for at in passage) for passage in going]
        shares = probably_meant(wish, told, self._pairs)
        judged = zip(going, shares, strict=True)
        return frozenset(at for passage, share in judged if share >= MEANT_FROM for at in passage)

    async def _retitled(
        self,
        user_id: str,
        found: TranscriptMatches,
        goings: Sequence[MessageRedaction],
        history: HistoryChoice,
    ) -> dict[UUID, str | None]:
        titles = await self._store.titles(user_id, found.space)
        places = await self._places(user_id, list(titles.values()), found.sought)
        return make_titles(titles, dict(zip(titles, places, strict=True)), goings, history)

    async def _episodes(self, user_id: str, found: TranscriptMatches) -> tuple[StoredEpisode, ...]:
        """Those that tell of it, in the words that are left of them."""
        episodes = await self._store.episodes(user_id, found.space)
        texts = sorted({text for each in episodes for text in episode_texts(each)})
        places = await self._places(user_id, texts, found.sought)
        told = zip(texts, places, strict=True)
        left = {text: join_without(split_pieces(text), gone) for text, gone in told if gone}
        now = [reword_episode(each, lambda text: left.get(text, text)) for each in episodes]
        return tuple(new for old, new in zip(episodes, now, strict=True) if new != old)

    async def _lexemes(self, user_id: str, words: set[str]) -> Mapping[str, frozenset[str]]:
        listed = sorted(words)
        found = await self._store.lexemes(user_id, [plain_words(word) for word in listed])
        return dict(zip(listed, found, strict=True))

    async def _drop_sessions(self, user_id: str, rows: Sequence[TranscriptMessage]) -> bool:
        chats = sorted({row.conversation_id for row in rows})
        return await self._copies.drop_sessions(user_id, chats)


def _in_pieces(texts: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """The pieces of each text, and the words of all their sentences in a row."""
    all_pieces = [split_pieces(text) for text in texts]
    return all_pieces, [plain_words(piece) for pieces in all_pieces for piece in pieces[::2]]


def _told_by_user(rows: Sequence[TranscriptMessage]) -> list[str]:
    return [row.content for row in rows if row.role == "user"]


def _names(asked: str, contents: Sequence[str]) -> list[str]:
    """As `find_names_of` finds them, but no word that only looks like a name (“my sister
    Monday”)."""
    return [
        name for name in find_names_of(asked, contents) if find_names(f"My friend {name} came.")
    ]
