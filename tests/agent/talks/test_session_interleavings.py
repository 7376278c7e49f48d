"""An erasure beside a turn, in every order of their steps: what Redis keeps of the conversation in
the end is what the database holds, or nothing.

The turn takes its stamp, stores what was said, reads the history from Redis (or, where nothing is
kept, from the database), stores the reply and caches all of it. The erasure drops the cached copy,
rewords the messages and drops the copy again (`memory.actions.forgetting.erasure`; forgetting what
was said, `memory.actions.forgetting.transcript_redaction`, takes the same three steps). Each of the
three may come before any step of the turn, or after its end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TypeAlias
from uuid import UUID, uuid4

import pytest

from agent.conversations.session import ConversationSession
from memory.cache import Cache, SessionCache, SessionState
from memory.store.conversations import DatabaseConversations, RetractedTurn
from memory.store.database import Database
from memory.store.messages import LATEST_POSITION, NewMessage
from memory.types import DEFAULT_SPACE, StoredMessage

SAID = "My sister Maria lives in Zanzibarville"
LEFT = "[forgotten]"
PLACES = (
    "before the stamp",
    "before the message",
    "before the copy is read",
    "before the database is read",
    "before the reply",
    "before the copy is kept",
    "after the turn",
)
Reach: TypeAlias = Callable[[str], Awaitable[None]]


class Sessions(SessionCache):
    """Tells where the turn has got to."""

    def __init__(self, cache: Cache, reach: Reach) -> None:
        super().__init__(cache)
        self._reach = reach

    async def begin(self, user_id: str, conversation_id: str) -> bytes | None:
        await self._reach("before the stamp")
        return await super().begin(user_id, conversation_id)

    async def load(self, user_id: str, conversation_id: str) -> SessionState | None:
        await self._reach("before the copy is read")
        return await super().load(user_id, conversation_id)

    async def save(
        self, user_id: str, conversation_id: str, state: SessionState, stamp: bytes | None
    ) -> bool:
        await self._reach("before the copy is kept")
        return await super().save(user_id, conversation_id, state, stamp)


class Stored(DatabaseConversations):
    """Tells it as well."""

    def __init__(self, database: Database, reach: Reach) -> None:
        super().__init__(database)
        self._reach = reach

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int]:
        await self._reach("before the message" if new.role == "user" else "before the reply")
        return await super().add_message(user_id, conversation_id, new, space)

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int, RetractedTurn]:
        await self._reach("before the message")
        return await super().replace_turn(user_id, conversation_id, new, instead_of, space)

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST_POSITION
    ) -> list[StoredMessage]:
        await self._reach("before the database is read")
        return await super().read_recent(user_id, conversation_id, limit, upto)


@dataclass
class Meeting:
    """One turn and one erasure; `when` are the places at which the erasure's steps come."""

    database: Database
    cache: Cache
    user_id: str
    when: tuple[str, ...] = ()
    id: UUID = field(default_factory=uuid4)
    last_turn: UUID | None = None
    done: int = 0

    async def reach(self, place: str) -> None:
        """Takes the steps of the erasure whose time has come; what belongs to a place that this
        turn does not pass comes at the next one."""
        here = PLACES.index(place)
        while self.done < len(self.when) and PLACES.index(self.when[self.done]) <= here:
            self.done += 1
            await (self.reword() if self.done == 2 else self.drop())

    async def drop(self) -> None:
        await SessionCache(self.cache).drop(self.user_id, str(self.id))

    async def reword(self) -> None:
        async with self.database.as_user(self.user_id) as connection:
            await connection.execute(
                "UPDATE messages SET content = $3 WHERE conversation_id = $1 AND content = $2",
                self.id,
                SAID,
                LEFT,
            )

    async def turn(self, *, instead_of: UUID | None = None) -> None:
        session = ConversationSession(
            self.user_id,
            self.id,
            Stored(self.database, self.reach),
            Sessions(self.cache, self.reach),
            history_messages=20,
        )
        self.last_turn = uuid4()
        await session.open_turn(SAID, self.last_turn, instead_of=instead_of)
        await session.get_items()
        await session.close_turn(NewMessage("assistant", "How nice.", self.last_turn))

    async def meet(self, kind: str) -> str | None:
        """The order in which it came to pass, where Redis keeps in the end what the database does
        not hold; of a conversation that told of it before."""
        at, self.when = self.when, ()
        await self.turn()
        if kind == "with no cached copy":
            await self.drop()
        self.when = at
        await self.turn(instead_of=self.last_turn if kind == "of a turn said anew" else None)
        await self.reach("after the turn")
        kept = await SessionCache(self.cache).load(self.user_id, str(self.id))
        held = await DatabaseConversations(self.database).read_recent(self.user_id, self.id, 20)
        if kept is None or [each.content for each in kept.messages] == [m.content for m in held]:
            return None
        return ", ".join(at)


@pytest.mark.parametrize(
    "kind", ["with a cached copy", "with no cached copy", "of a turn said anew"]
)
async def test_no_order_of_a_turn_and_an_erasure_leaves_the_words_in_redis(
    database: Database, cache: Cache, user_id: str, kind: str
) -> None:
    orders = combinations_with_replacement(PLACES, 3)
    met = [await Meeting(database, cache, user_id, when).meet(kind) for when in orders]
    assert len(met) == 84
    assert [order for order in met if order is not None] == []


async def test_a_turn_beside_no_erasure_is_cached(
    database: Database, cache: Cache, user_id: str
) -> None:
    """Otherwise the orders above would hold where nothing is cached at all."""
    meeting = Meeting(database, cache, user_id)
    await meeting.turn()
    kept = await SessionCache(cache).load(user_id, str(meeting.id))
    assert kept is not None
    assert [each.content for each in kept.messages] == [SAID, "How nice."]
