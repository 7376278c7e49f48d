from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from memory.actions.forgetting.cache_invalidation import CacheInvalidator, cached_forms
from memory.cache import NullCache


class Vectors:
    def __init__(self) -> None:
        self.forgotten: list[str] = []

    async def forget(self, texts: Sequence[str]) -> bool:
        self.forgotten += texts
        return True


class Sessions:
    """Reaches the cache for all but one conversation."""

    def __init__(self, away: UUID) -> None:
        self.away = str(away)
        self.dropped: list[str] = []

    async def drop(self, user_id: str, conversation_id: str) -> bool:
        self.dropped.append(conversation_id)
        return conversation_id != self.away


async def test_every_form_of_a_text_is_forgotten() -> None:
    vectors = Vectors()
    copies = CacheInvalidator(vectors, Sessions(uuid4()), NullCache())
    assert await copies.forget_vectors(["User lives in Oslo. It rains."])
    assert vectors.forgotten == cached_forms(["User lives in Oslo. It rains."])
    assert {"User lives in Oslo. It rains.", "It rains."} <= set(vectors.forgotten)


async def test_one_conversation_that_is_not_reached_leaves_the_others_no_copy() -> None:
    first, away, last = uuid4(), uuid4(), uuid4()
    sessions = Sessions(away)
    copies = CacheInvalidator(Vectors(), sessions, NullCache())
    assert not await copies.drop_sessions("ada", [first, away, last])
    assert sessions.dropped == [str(first), str(away), str(last)]
    assert await copies.drop_sessions("ada", [first, last])
