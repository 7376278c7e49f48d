"""The erasure of what was forgotten, with what goes of the messages that tell of it, and the
deleting of conversations."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog

from memory.actions.forgetting.cache_invalidation import CacheInvalidator
from memory.actions.forgetting.redaction import (
    FORGOTTEN_MARK,
    contains_memory,
    redact_about,
    redact_episode,
)
from memory.cache import EMBEDDING_SECONDS_TO_LIVE
from memory.store.conversations import ConversationStore
from memory.store.erasure import (
    ErasurePlan,
    ErasureScope,
    ErasureStore,
    PendingErasure,
    RelatedMessage,
)
from memory.store.messages import LATEST_POSITION, title_from
from memory.types import Origin


def plan_removal(remains: ErasureScope, *, caches_cleared: bool = True) -> ErasurePlan:
    """What the user chose for each memory's conversations: to keep them as they are, to redact the
    sentences about it, or to delete the messages that hold one. `caches_cleared` is counted."""
    work = _RemovalPlanner(remains, caches_cleared=caches_cleared)
    for doomed in remains.condemned:
        work.remove(doomed)
        work.remove_from_episodes(doomed)
    return work.removal()


class _RemovalPlanner:
    """One memory after the other, each on what the ones before it left."""

    def __init__(self, remains: ErasureScope, *, caches_cleared: bool) -> None:
        self._caches_cleared = caches_cleared
        self._remains = remains
        self._said: dict[UUID, str] = {each.id: each.content for each in remains.messages}
        self._titles: dict[UUID, str | None] = dict(remains.titles)
        self._episodes = {each.id: each for each in remains.episodes}
        self._taken: list[UUID] = []
        self._counts: dict[UUID, Counter[str]] = {}

    def remove(self, doomed: PendingErasure) -> None:
        counts = self._counts[doomed.id] = Counter(caches_cleared=int(self._caches_cleared))
        if doomed.content is None:
            return
        counts.update(items=1, search_rows=1, vectors=int(doomed.has_vector))
        if doomed.history == "keep":
            return
        messages = self._remains.messages
        turns = _turns_about(doomed.id, doomed.content, doomed.sources, messages)
        for message in messages:
            if message.id not in self._taken:
                self._from_message(doomed, doomed.content, message, turns)
        chats = {each.conversation_id for each in messages if each.correlation_id in turns}
        for chat, title in self._titles.items():
            if title is None:
                continue
            # What a person called a conversation about it names it in a word or two.
            left = redact_about(title, doomed.content, closely=chat in chats)
            if left != title:
                self._titles[chat] = left or None
                counts["titles_redacted"] += 1

    def remove_from_episodes(self, doomed: PendingErasure) -> None:
        """Whatever becomes of the conversations: an episode is none."""
        if doomed.content is None:
            return
        for episode in self._episodes.values():
            left = redact_episode(episode, [doomed.content])
            if left != episode:
                self._episodes[episode.id] = left
                self._counts[doomed.id]["episodes_redacted"] += 1

    def removal(self) -> ErasurePlan:
        messages = self._remains.messages
        before = {each.id: each.content for each in messages}
        reworded = {
            key: text
            for key, text in self._said.items()
            if text != before[key] and key not in self._taken
        }
        touched = {*reworded, *self._taken}
        return ErasurePlan(
            reworded=reworded,
            taken=tuple(self._taken),
            chats=frozenset(each.conversation_id for each in messages if each.id in touched),
            titles={
                chat: title
                for chat, title in self._titles.items()
                if title != self._remains.titles[chat]
            },
            counts=self._counts,
            episodes=tuple(
                self._episodes[each.id]
                for each in self._remains.episodes
                if self._episodes[each.id] != each
            ),
        )

    def _from_message(
        self, doomed: PendingErasure, content: str, message: RelatedMessage, turns: set[UUID]
    ) -> None:
        said = self._said[message.id]
        left = redact_about(said, content, closely=message.correlation_id in turns)
        if left == said and message.id in doomed.sources and FORGOTTEN_MARK not in said:
            left = FORGOTTEN_MARK
        if left == said:
            return
        counts = self._counts[doomed.id]
        if doomed.history == "delete":
            self._taken.append(message.id)
            counts["messages_deleted"] += 1
            left = ""
        else:
            self._said[message.id] = left
            counts["messages_redacted"] += 1
        if self._titles.get(message.conversation_id) == title_from(said) is not None:
            self._titles[message.conversation_id] = title_from(left)
            counts["titles_redacted"] += 1


def _turns_about(
    item_id: UUID, content: str, sources: Collection[UUID], messages: Iterable[RelatedMessage]
) -> set[UUID]:
    """The turns in which it was said, recalled or quoted: what the user asked in those names it."""
    return {
        each.correlation_id
        for each in messages
        if each.id in sources
        or each.rested_on & {item_id, *sources}
        or contains_memory(each.content, content)
    }


# After this time no cached copy of what was forgotten is left, whether or not it was removed.
CACHED_FOR = timedelta(seconds=EMBEDDING_SECONDS_TO_LIVE)
UPKEEP = Origin("upkeep")
_log = structlog.get_logger(__name__)


class Erasure:
    """Erases what was forgotten, for good: caches first, then everything else in one
    transaction."""

    def __init__(self, erasing: ErasureStore, copies: CacheInvalidator) -> None:
        self._erasing = erasing
        self._copies = copies

    async def erase_due(self, user_id: str, now: datetime) -> list[UUID]:
        """Erases the forgotten memories whose time has come; the ids of those that are gone.

        Where Redis is away they wait for it, at most until their cached copies have run out by
        themselves. Raises DatabaseUnavailable.
        """
        due = await self._erasing.due(user_id, now)
        return await self._erase(user_id, due, now, UPKEEP)

    async def erase(
        self, user_id: str, ids: Collection[UUID], now: datetime, origin: Origin
    ) -> list[UUID]:
        """Erases those of the ids that are due; see `erase_due`."""
        due = await self._erasing.due(user_id, now)
        wanted = {key: since for key, since in due.items() if key in ids}
        return await self._erase(user_id, wanted, now, origin)

    async def waits(self, user_id: str, ids: Collection[UUID], now: datetime) -> bool:
        """Whether one of the ids is due and not erased."""
        return not (await self._erasing.due(user_id, now)).keys().isdisjoint(ids)

    async def foreseen(self, user_id: str, messages: Sequence[UUID]) -> ErasurePlan:
        """What will become of these messages when what waits is erased; nothing is changed."""
        remains = await self._erasing.pending_for_messages(user_id, messages)
        return await asyncio.to_thread(plan_removal, remains)

    async def _erase(
        self, user_id: str, due: dict[UUID, datetime], now: datetime, origin: Origin
    ) -> list[UUID]:
        if not due:
            return []
        remains = await self._erasing.remains(user_id, list(due))
        removal = await asyncio.to_thread(plan_removal, remains)
        cleared = await self._clear(user_id, remains, removal)
        ready = [key for key, since in due.items() if cleared or since + CACHED_FOR <= now]
        if not ready:
            _log.warning("erasure_waits_for_cache", count=len(due))
            return []
        noted = partial(plan_removal, caches_cleared=cleared)
        removal = await self._erasing.erase(user_id, ready, noted, origin, now)
        # Again: a turn that began in between has read the words, under a stamp that still holds.
        await self._copies.drop_sessions(user_id, sorted(removal.chats))
        await self._copies.rewrite_file()
        _log.info("erased", user_id=user_id, count=len(removal.counts))
        return list(removal.counts)

    async def _clear(self, user_id: str, remains: ErasureScope, removal: ErasurePlan) -> bool:
        texts = _texts_of(remains, frozenset({*removal.reworded, *removal.taken}))
        vectors = await self._copies.forget_vectors(texts)
        return await self._copies.drop_sessions(user_id, sorted(removal.chats)) and vectors


def _texts_of(remains: ErasureScope, touched: frozenset[UUID]) -> list[str]:
    """The condemned memories and the messages that change."""
    texts = [each.content for each in remains.condemned if each.content]
    return texts + [each.content for each in remains.messages if each.id in touched]


_AT_ONCE = 200


class ConversationRemoval:
    """Deletes conversations: what was said goes, what was learned from it stays. Every method names
    its user."""

    def __init__(self, conversations: ConversationStore, copies: CacheInvalidator) -> None:
        self._conversations = conversations
        self._copies = copies

    async def delete(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Removes the messages with their vectors and search rows, the conversation, and every
        cached copy; whether it was there. The copies go first, so that it can be done again where
        the database went away in between. A cache that is away loses its copies by their time to
        live, within 7 days. Raises DatabaseUnavailable."""
        await self._clear_copies(user_id, conversation_id)
        removed = await self._conversations.remove(user_id, conversation_id, origin)
        # Again: a turn that ended in between has cached it anew.
        await self._copies.drop_sessions(user_id, [conversation_id])
        await self._copies.rewrite_file()
        return removed

    async def _clear_copies(self, user_id: str, conversation_id: UUID) -> None:
        await self._copies.drop_sessions(user_id, [conversation_id])
        before: int | None = LATEST_POSITION
        while before is not None:
            page = await self._conversations.page(user_id, conversation_id, _AT_ONCE, before)
            texts = [each.message.content for each in page.messages]
            if texts:
                await self._copies.forget_vectors(texts)
            before = page.before
