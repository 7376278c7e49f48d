"""Forgetting what was only said: past messages about some words, of which no memory was kept.

It cannot be undone (docs/decisions/0013): nothing keeps the words, not for a day either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from uuid import UUID

from memory.controls.finding import is_statement, names_for, topic
from memory.controls.hearers import Hearers
from memory.controls.passages import (
    Going,
    Sought,
    bare,
    places_about,
    replies_to,
    retitled,
    sought_for,
    telling,
    unsaying_of,
    ways_of,
)
from memory.episode import Episode
from memory.errors import CopiesRemain
from memory.models import KeptItem, Origin
from memory.recall.names import names_in
from memory.store.forgetting.forgetting import History
from memory.store.forgetting.said import SaidMessage, SaidStore
from memory.store.forgetting.unsaying import Besides, Unsaying
from memory.upkeep.copies import Copies
from memory.upkeep.episode_redaction import reworded, texts_of
from memory.upkeep.redaction import pieces_of, without_pieces
from memory.write.pairs import Pairs


@dataclass(frozen=True)
class Found:
    """What was said about some words: `telling` are the messages that say something of it, the
    oldest first, and `messages` the ids of those and of all others from which it would go."""

    space: str
    asked: str
    sought: Sought
    telling: tuple[Going, ...]
    messages: tuple[UUID, ...]


class Said:
    """Every method names its user."""

    def __init__(
        self, store: SaidStore, copies: Copies, pairs: Pairs, hearers: Hearers | None = None
    ) -> None:
        self._store = store
        self._copies = copies
        self._pairs = pairs
        self._hearers = hearers or Hearers()

    async def find(
        self,
        user_id: str,
        space: str,
        words: str,
        *,
        known: Sequence[str] = (),
        not_turn: UUID | None = None,
    ) -> Found | None:
        """What the user and the assistant said about the words in the space's conversations, but
        for the turn `not_turn`; None where nothing tells of it.

        A sentence is about them where it holds each of them, as the keyword search stems words, or
        another word for it; “my sister” also by her name, where a message or one of the `known`
        memories says it. A sentence that goes on about “he”, “she” or “they” belongs to the one
        before it.
        """
        asked = topic(words)
        rows, sought = await self._about(user_id, space, asked, known, not_turn)
        goings = await self._going(user_id, rows, sought)
        turns = {each.message.correlation_id for each in goings if each.message.role == "user"}
        replies = await self._store.replies(user_id, turns)
        goings = await asyncio.to_thread(replies_to, goings, replies)
        shown = await asyncio.to_thread(telling, goings)
        if not shown:
            return None
        ids = tuple(each.message.id for each in goings)
        return Found(space, asked, sought, tuple(shown), ids)

    async def named(self, user_id: str, found: Found, items: Sequence[KeptItem]) -> list[KeptItem]:
        """The memories that hold one of the words, where the words plainly stand in what was said:
        a memory that is only near in meaning is then not meant. Of a whole statement all, since a
        memory may say it in other words."""
        if is_statement(found.asked):
            return list(items)
        texts = [bare(" ".join((item.content, *item.tags))) for item in items]
        held = await self._store.lexemes(user_id, texts)
        told = zip(items, held, strict=True)
        return [item for item, words in told if found.sought.is_touched_by(words)]

    async def clear_copies(self, user_id: str, found: Found) -> None:
        """Removes what the caches hold of it. Raises CopiesRemain where they cannot be reached;
        it is to be called before anything else is forgotten."""
        rows = await self._store.read(user_id, found.messages)
        texts = [found.asked, *(row.content for row in rows)]
        cleared = await self._copies.forget_vectors(texts)
        if not (await self._drop_sessions(user_id, rows) and cleared):
            raise CopiesRemain

    async def forget(
        self,
        user_id: str,
        found: Found,
        origin: Origin,
        *,
        history: History = "redact",
        asked_in: UUID | None = None,
    ) -> int:
        """Takes the sentences out of the messages that were found, and out of titles, or deletes
        those messages; how many. What was said since is left alone. The turn `asked_in`, which
        named it in order to forget it, is blanked.

        Vectors, search rows and cached conversations go with the words, and nothing is learned
        from what is left.
        """
        unsaying = await self.unsaying(user_id, found, history)
        besides = Besides(unsaying, asked_in)
        await self._store.remove(user_id, besides, origin)
        await self.clear_copies_after(user_id, unsaying, origin)
        return besides.messages

    async def unsaying(self, user_id: str, found: Found, history: History) -> Unsaying:
        """What `forget` does to messages, titles and episodes."""
        rows = await self._store.read(user_id, found.messages)
        goings = await self._going(user_id, rows, found.sought)
        turns = {each.message.correlation_id for each in goings}
        replies = [row for row in rows if row.role == "assistant" and row.correlation_id in turns]
        goings = await asyncio.to_thread(replies_to, goings, replies)
        titles = await self._retitled(user_id, found, goings, history)
        episodes = await self._episodes(user_id, found)
        return replace(
            unsaying_of(goings, titles, history),
            episodes=episodes,
            conversations=frozenset(row.conversation_id for row in rows),
        )

    async def clear_copies_after(self, user_id: str, unsaying: Unsaying, origin: Origin) -> None:
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
    ) -> tuple[list[SaidMessage], Sought]:
        """The messages that may tell of it, and what they are held to."""
        ways = ways_of(asked)
        lexemes = await self._lexemes(user_id, {word for words in ways for word in words})
        ways = [words for words in ways if lexemes[words[0]]]
        if not ways:
            return [], Sought(())
        texts = [bare(" ".join(words)) for words in ways]
        plain = [word for words in ways for word in bare(words[0]).split()]
        rows = await self._store.about(user_id, space, " ".join(texts), plain, not_turn)
        called = await asyncio.to_thread(_names, asked, [*known, *_told_by_user(rows)])
        if called:
            texts, plain = [*texts, *called], [*plain, *called]
            rows = await self._store.about(user_id, space, " ".join(texts), plain, not_turn)
        names = await self._lexemes(user_id, set(called))
        return rows, sought_for(ways, lexemes, names.values())

    async def _going(
        self, user_id: str, rows: Sequence[SaidMessage], sought: Sought
    ) -> list[Going]:
        places = await self._places(user_id, [row.content for row in rows], sought)
        return [Going(row, gone) for row, gone in zip(rows, places, strict=True) if gone]

    async def _places(
        self, user_id: str, texts: Sequence[str], sought: Sought
    ) -> list[frozenset[int]]:
        """Of each text the places of the sentences that are about it."""
        all_pieces, words = await asyncio.to_thread(_in_pieces, texts)
        held = iter(await self._store.lexemes(user_id, words))
        return await asyncio.to_thread(
            lambda: [
                places_about(pieces, list(islice(held, len(pieces[::2]))), sought)
                for pieces in all_pieces
            ]
        )

    async def _retitled(
        self, user_id: str, found: Found, goings: Sequence[Going], history: History
    ) -> dict[UUID, str | None]:
        titles = await self._store.titles(user_id, found.space)
        places = await self._places(user_id, list(titles.values()), found.sought)
        return retitled(titles, dict(zip(titles, places, strict=True)), goings, history)

    async def _episodes(self, user_id: str, found: Found) -> tuple[Episode, ...]:
        """Those that tell of it, in the words that are left of them."""
        episodes = await self._store.episodes(user_id, found.space)
        texts = sorted({text for each in episodes for text in texts_of(each)})
        places = await self._places(user_id, texts, found.sought)
        told = zip(texts, places, strict=True)
        left = {text: without_pieces(pieces_of(text), gone) for text, gone in told if gone}
        now = [reworded(each, lambda text: left.get(text, text)) for each in episodes]
        return tuple(new for old, new in zip(episodes, now, strict=True) if new != old)

    async def _lexemes(self, user_id: str, words: set[str]) -> Mapping[str, frozenset[str]]:
        listed = sorted(words)
        found = await self._store.lexemes(user_id, [bare(word) for word in listed])
        return dict(zip(listed, found, strict=True))

    async def _drop_sessions(self, user_id: str, rows: Sequence[SaidMessage]) -> bool:
        chats = sorted({row.conversation_id for row in rows})
        return await self._copies.drop_sessions(user_id, chats)


def _in_pieces(texts: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """The pieces of each text, and the words of all their sentences in a row."""
    all_pieces = [pieces_of(text) for text in texts]
    return all_pieces, [bare(piece) for pieces in all_pieces for piece in pieces[::2]]


def _told_by_user(rows: Sequence[SaidMessage]) -> list[str]:
    return [row.content for row in rows if row.role == "user"]


def _names(asked: str, contents: Sequence[str]) -> list[str]:
    """As `names_for` finds them, but no word that only looks like a name (“my sister Monday”)."""
    return [name for name in names_for(asked, contents) if names_in(f"My friend {name} came.")]
