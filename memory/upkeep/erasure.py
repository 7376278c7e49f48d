"""Erases what was forgotten, for good: caches first, then everything else in one transaction.

A run that stops in between leaves the memories waiting, and the next one begins anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog

from memory.cache.embeddings import SECONDS_TO_LIVE
from memory.models import Origin
from memory.store.forgetting.erasing import Erasing, Remains, Removal
from memory.upkeep.copies import Copies
from memory.upkeep.message_removal import decide

# After this time no cached copy of what was forgotten is left, whether or not it was removed.
CACHED_FOR = timedelta(seconds=SECONDS_TO_LIVE)
UPKEEP = Origin("upkeep")
_log = structlog.get_logger(__name__)


class Erasure:
    def __init__(self, erasing: Erasing, copies: Copies) -> None:
        self._erasing = erasing
        self._copies = copies

    async def erase_due(self, user_id: str, now: datetime, origin: Origin = UPKEEP) -> list[UUID]:
        """Erases the forgotten memories whose time has come; the ids of those that are gone.

        Where Redis is away they wait for it, at most until their cached copies have run out by
        themselves. Raises DatabaseUnavailable.
        """
        due = await self._erasing.due(user_id, now)
        return await self._erase(user_id, due, now, origin)

    async def erase(
        self, user_id: str, ids: Collection[UUID], now: datetime, origin: Origin
    ) -> list[UUID]:
        """Erases those of the ids that are due; see `erase_due`."""
        due = await self._erasing.due(user_id, now)
        wanted = {key: since for key, since in due.items() if key in ids}
        return await self._erase(user_id, wanted, now, origin)

    async def foreseen(self, user_id: str, messages: Sequence[UUID]) -> Removal:
        """What will become of these messages when what waits is erased; nothing is changed."""
        remains = await self._erasing.waiting_about(user_id, messages)
        return await asyncio.to_thread(decide, remains)

    async def _erase(
        self, user_id: str, due: dict[UUID, datetime], now: datetime, origin: Origin
    ) -> list[UUID]:
        if not due:
            return []
        remains = await self._erasing.remains(user_id, list(due))
        removal = await asyncio.to_thread(decide, remains)
        cleared = await self._clear(user_id, remains, removal)
        ready = [key for key, since in due.items() if cleared or since + CACHED_FOR <= now]
        if not ready:
            _log.warning("erasure_waits_for_cache", count=len(due))
            return []
        noted = partial(decide, caches_cleared=cleared)
        removal = await self._erasing.erase(user_id, ready, noted, origin, now)
        # Again: a turn that began in between has read the words, under a stamp that still holds.
        await self._copies.drop_sessions(user_id, sorted(removal.chats))
        await self._copies.rewrite_file()
        _log.info("erased", user_id=user_id, count=len(removal.counts))
        return list(removal.counts)

    async def _clear(self, user_id: str, remains: Remains, removal: Removal) -> bool:
        texts = _texts_of(remains, frozenset({*removal.reworded, *removal.taken}))
        vectors = await self._copies.forget_vectors(texts)
        return await self._copies.drop_sessions(user_id, sorted(removal.chats)) and vectors


def _texts_of(remains: Remains, touched: frozenset[UUID]) -> list[str]:
    """The condemned memories and the messages that change."""
    texts = [each.content for each in remains.condemned if each.content]
    return texts + [each.content for each in remains.messages if each.id in touched]
