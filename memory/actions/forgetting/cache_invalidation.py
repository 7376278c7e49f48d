"""The copies of what was said and kept: caches of vectors and conversations, and whoever in this
process holds words of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias
from uuid import UUID

from memory.actions.forgetting.redaction import split_into_sentences
from memory.retrieval.query import mask_names, prepare_query
from memory.secrets import redact
from memory.text import to_first_person

# Characters.
_TYPED_AGAIN = 300
_STOPS = ".?!…"
_I = re.compile(r"\bi\b")


class CachedVectors(Protocol):
    """`memory.embeddings.cached.CachedEmbedder` is one."""

    async def forget(self, texts: Sequence[str]) -> bool: ...


class SessionCopies(Protocol):
    """`memory.cache.SessionCache` is one."""

    async def drop(self, user_id: str, conversation_id: str) -> bool: ...


class CacheFile(Protocol):
    """`memory.cache.Cache` has one: what it deleted stays there until it is rewritten."""

    async def rewrite_file(self) -> None: ...


class CacheInvalidator:
    """Removes them. False says that a cache could not be reached."""

    def __init__(
        self, vectors: CachedVectors, sessions: SessionCopies, cache_file: CacheFile
    ) -> None:
        self._vectors = vectors
        self._sessions = sessions
        self._cache_file = cache_file

    async def forget_vectors(self, texts: Iterable[str]) -> bool:
        """Of the texts and of each form that one may have been made of; see `cached_forms`."""
        return await self._vectors.forget(await asyncio.to_thread(cached_forms, texts))

    async def drop_sessions(self, user_id: str, conversation_ids: Iterable[UUID]) -> bool:
        dropped = [await self._sessions.drop(user_id, str(each)) for each in conversation_ids]
        return all(dropped)

    async def rewrite_file(self) -> None:
        """Without what was deleted."""
        await self._cache_file.rewrite_file()


def cached_forms(texts: Iterable[str]) -> list[str]:
    """The texts and their sentences in each form that a vector is made of."""
    parts = {part for text in texts for part in (text, *split_into_sentences(text))}
    return sorted({form for part in parts for form in _forms(part)})


def _forms(text: str) -> set[str]:
    """A memory and a message as they are embedded, and what may have been asked in these words,
    whatever its case and the stop at its end."""
    asked = prepare_query(text)
    typed = {asked, *_as_typed(asked)}
    nameless = {form for each in typed if (form := mask_names(each))}
    return {text, redact(text), to_first_person(text)} | typed | nameless


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


ForgettingListener: TypeAlias = Callable[[str, UUID | None], None]
"""Is called with the user, and with the turn that had it forgotten where one did."""


class ForgettingListeners:
    """Told of whatever is forgotten or erased in this process, through which door it may come."""

    def __init__(self) -> None:
        self._hearers: list[ForgettingListener] = []

    def add(self, hearer: ForgettingListener) -> None:
        self._hearers.append(hearer)

    def tell(self, user_id: str, turn_id: UUID | None = None) -> None:
        for hearer in self._hearers:
            hearer(user_id, turn_id)
