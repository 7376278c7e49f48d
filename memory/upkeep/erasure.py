"""Erases what was forgotten, for good: caches first, then everything else in one transaction.

A run that stops in between leaves the memories waiting, and the next one begins anew.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol
from uuid import UUID

import structlog

from memory.cache.embeddings import SECONDS_TO_LIVE
from memory.first_person import as_first_person
from memory.models import Origin
from memory.recall.question import as_searched, without_names
from memory.secrets import redact
from memory.store.erasing import Erasing, Remains, Removal
from memory.upkeep.redaction import sentences
from memory.upkeep.removal import decide

# After this time no cached copy of what was forgotten is left, whether or not it was removed.
CACHED_FOR = timedelta(seconds=SECONDS_TO_LIVE)
UPKEEP = Origin("upkeep")
# Characters.
_TYPED_AGAIN = 300
_STOPS = ".?!…"
_I = re.compile(r"\bi\b")
_log = structlog.get_logger(__name__)


class CachedVectors(Protocol):
    """`memory.embedders.cached.CachedEmbedder` is one."""

    async def forget(self, texts: Sequence[str]) -> bool: ...


class SessionCopies(Protocol):
    """`memory.cache.session.SessionCache` is one."""

    async def drop(self, user_id: str, conversation_id: str) -> bool: ...


class CacheFile(Protocol):
    """`memory.cache.Cache` has one: what it deleted stays there until it is rewritten."""

    async def rewrite_file(self) -> None: ...


class Erasure:
    def __init__(
        self,
        erasing: Erasing,
        vectors: CachedVectors,
        sessions: SessionCopies,
        cache_file: CacheFile,
    ) -> None:
        self._erasing = erasing
        self._vectors = vectors
        self._sessions = sessions
        self._cache_file = cache_file

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
        # Again: a turn that ran meanwhile may have kept its history as it was.
        await self._drop_sessions(user_id, remains, removal)
        await self._cache_file.rewrite_file()
        _log.info("erased", user_id=user_id, count=len(removal.counts))
        return list(removal.counts)

    async def _clear(self, user_id: str, remains: Remains, removal: Removal) -> bool:
        texts = await asyncio.to_thread(embedded_texts, remains, removal)
        vectors = await self._vectors.forget(texts)
        return await self._drop_sessions(user_id, remains, removal) and vectors

    async def _drop_sessions(self, user_id: str, remains: Remains, removal: Removal) -> bool:
        touched = {*removal.reworded, *removal.taken}
        chats = {each.conversation_id for each in remains.messages if each.id in touched}
        dropped = [await self._sessions.drop(user_id, str(chat)) for chat in sorted(chats)]
        return all(dropped)


def embedded_texts(remains: Remains, removal: Removal) -> list[str]:
    """Every text about the condemned memories that a vector may have been made of.

    They themselves and the messages that change; see `embedded_forms`.
    """
    touched = {*removal.reworded, *removal.taken}
    texts = [each.content for each in remains.condemned if each.content]
    texts += [each.content for each in remains.messages if each.id in touched]
    return embedded_forms(texts)


def embedded_forms(texts: Iterable[str]) -> list[str]:
    """The texts and their sentences in each form that a vector is made of."""
    parts = {part for text in texts for part in (text, *sentences(text))}
    return sorted({form for part in parts for form in _forms(part)})


def _forms(text: str) -> set[str]:
    """A memory and a message as they are embedded, and what may have been asked in these words,
    whatever its case and the stop at its end."""
    asked = as_searched(text)
    typed = {asked, *_as_typed(asked)}
    nameless = {form for each in typed if (form := without_names(each))}
    return {text, redact(text), as_first_person(text)} | typed | nameless


def _as_typed(asked: str) -> set[str]:
    """As people type it who do not capitalise, or only some of it, with any stop or none; of what
    is long, nothing: nobody types it again."""
    bare = asked.rstrip(_STOPS).rstrip()
    if not bare or len(bare) > _TYPED_AGAIN:
        return set()
    lower = bare.lower()
    with_i = _I.sub("I", lower)
    cases = {bare, lower, with_i, lower[:1].upper() + lower[1:], with_i[:1].upper() + with_i[1:]}
    return {case + stop for case in cases for stop in ("", ".", "?", "!")}
