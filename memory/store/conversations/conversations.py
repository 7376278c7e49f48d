"""Conversations and their messages. Every method is one transaction of the user.

What takes messages away takes the user's lock first: their going touches the memories that were
learned from them, and whoever writes memories holds that lock, too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from memory.database import Database
from memory.models import DEFAULT_SPACE, Conversation, Message, Origin
from memory.store.audit import record
from memory.store.conversations.listing import (
    ConversationFilter,
    ConversationPage,
    MessagePage,
    ShownMessage,
    page_of,
)
from memory.store.conversations.messages import (
    LATEST,
    NewMessage,
    add_message,
    open_conversation,
    title_of,
)
from memory.store.conversations.taking_back import TakenBack, carry_over, retitle, take_back
from memory.store.memories.items import lock_user
from memory.store.memories.listing import Place
from memory.store.queries import load_queries

_SQL = load_queries("conversations/conversations")


class Conversations:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int]:
        """Keeps a message, and its conversation when it is the first one; a message with an id
        that is there already replaces it.

        Beside the message stands the position of the one before it (0 where there
        is none), by which a cached history can be told from a stale one.
        """
        async with self._database.as_user(user_id) as connection:
            await open_conversation(connection, user_id, conversation_id, new, space)
            return await add_message(connection, user_id, conversation_id, new)

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int, TakenBack]:
        """Keeps a message in the place of the last turn, which goes in the same transaction: at no
        moment are both there, or neither. With the same words what was learned from the old message
        comes from the new one, and nothing is learned twice. Raises NotTheLastTurn."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await open_conversation(connection, user_id, conversation_id, new, space)
            taken = await take_back(connection, user_id, conversation_id, instead_of)
            old = taken.said
            if old is not None and old.content == new.content:
                taken = replace(taken, again=True)
                new = replace(new, needs_learning=new.needs_learning and old.needs_learning)
            message, before = await add_message(connection, user_id, conversation_id, new)
            if old is not None:
                titles = (title_of(old.content), title_of(new.content))
                await retitle(connection, user_id, conversation_id, *titles)
            if old is not None and taken.again:
                await carry_over(connection, user_id, old.id, message.id)
        return message, before, taken

    async def take_back(self, user_id: str, conversation_id: UUID, turn_id: UUID) -> TakenBack:
        """Removes the last turn. Raises NotTheLastTurn."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            return await take_back(connection, user_id, conversation_id, turn_id)

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST
    ) -> list[Message]:
        """The newest `limit` messages with a position of at most `upto`, oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["read_recent"], user_id, conversation_id, limit, upto
            )
        return [Message(**dict(row)) for row in rows]

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[Conversation]:
        """The conversations of the user, the last used first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["list_conversations"], user_id, limit)
        return [Conversation(**dict(row)) for row in rows]

    async def browse(self, user_id: str, wanted: ConversationFilter) -> ConversationPage:
        """See `ConversationFilter`; the last used first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, *wanted.arguments)
        found = tuple(Conversation(**dict(row)) for row in rows[: wanted.limit])
        last = found[-1] if len(rows) > wanted.limit else None
        return ConversationPage(
            found, None if last is None else Place(created_at=last.updated_at, id=last.id)
        )

    async def read(self, user_id: str, conversation_id: UUID) -> Conversation | None:
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["read"], user_id, conversation_id)
        return None if row is None else Conversation(**dict(row))

    async def page(
        self, user_id: str, conversation_id: UUID, limit: int, before: int = LATEST
    ) -> MessagePage:
        """The newest messages before a position."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["page"], user_id, conversation_id, before, limit + 1)
        return page_of([_shown(dict(row)) for row in rows], limit)

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> list[ShownMessage]:
        """Those of the messages that are still there."""
        if not ids:
            return []
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_several"], user_id, list(ids))
        return [_shown(dict(row)) for row in rows]

    async def of_turn(self, user_id: str, correlation_id: UUID) -> list[ShownMessage]:
        """What was said in a turn, in order; empty where there is nothing of it."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["of_turn"], user_id, correlation_id)
        return [_shown(dict(row)) for row in rows]

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> Conversation | None:
        """None where it is not there. The audit log says that it was, not how it is called."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["rename"], user_id, conversation_id, title)
            if row is not None:
                await record(
                    connection,
                    user_id,
                    "conversation_renamed",
                    origin,
                    conversation=conversation_id,
                )
        return None if row is None else Conversation(**dict(row))

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Removes a conversation with all that was said in it; whether it was there."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            gone = await connection.fetchval(_SQL["remove_conversation"], user_id, conversation_id)
            if gone is not None:
                await record(connection, user_id, "conversation_deleted", origin, conversation=gone)
        return gone is not None

    async def pop_message(self, user_id: str, conversation_id: UUID) -> Message | None:
        """Takes the newest message away and returns it."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(_SQL["last_message"], user_id, conversation_id)
            if row is None:
                return None
            await connection.execute(_SQL["remove_message"], user_id, row["id"])
        return Message(**dict(row))

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None:
        """Removes every message of the conversation; the conversation stays."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await connection.execute(_SQL["clear_conversation"], user_id, conversation_id)


def _shown(row: dict[str, Any]) -> ShownMessage:
    recalled = json.loads(row.pop("recalled"))
    return ShownMessage(Message(**row), tuple(recalled))
