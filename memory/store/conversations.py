"""Conversations and their messages: listed, read, changed, taken back, and kept private."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Protocol
from uuid import UUID

from pydantic import Field

from memory.errors import NotTheLastTurn
from memory.metrics import MemoryMetrics
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, load_queries
from memory.store.memories import (
    MAX_LISTED,
    PageCursor,
    lock_user,
    supersede,
    undo_supersede,
)
from memory.store.messages import (
    LATEST_POSITION,
    NewMessage,
    add_message,
    continue_conversation,
    open_conversation,
    title_from,
    withheld_message,
)
from memory.types import (
    DEFAULT_SPACE,
    FrozenModel,
    Origin,
    Privacy,
    Role,
    StoredConversation,
    StoredMemory,
    StoredMessage,
)

_SQL = load_queries("conversations", columns=StoredMemory.model_fields)


class ConversationFilter(FrozenModel):
    """Which conversations are listed. `text` is a part of their titles, or words of what was said
    in them as a search engine takes them, of which the last may be unfinished from its third letter
    on; `after` is where the page before ended, by the moment of the last message."""

    space: str = DEFAULT_SPACE
    text: str | None = None
    after: PageCursor | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 50

    @property
    def arguments(self) -> tuple[object, ...]:
        """The values in the order of the query's places, with one row more than is asked for."""
        after = self.after
        return (
            self.space,
            self.text,
            None if after is None else after.created_at,
            None if after is None else after.id,
            self.limit + 1,
        )


@dataclass(frozen=True)
class ConversationPage:
    """Some conversations, and where the next page begins; None where there is none."""

    conversations: tuple[StoredConversation, ...]
    next: PageCursor | None


@dataclass(frozen=True)
class MessageWithSources:
    """A message with what it rested on: ids and figures, as they were stored."""

    message: StoredMessage
    recalled: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class MessagePage:
    """Some messages, the oldest first; `before` is the position that the next page ends before,
    None where there is none."""

    messages: tuple[MessageWithSources, ...]
    before: int | None


def to_message_page(newest: list[MessageWithSources], limit: int) -> MessagePage:
    """Of messages with the newest first, and one more than `limit` where there are more."""
    shown = newest[:limit]
    before = shown[-1].message.position if len(newest) > limit else None
    return MessagePage(tuple(reversed(shown)), before)


@dataclass(frozen=True)
class RetractedMessage:
    """A message that is gone; `needs_learning` says that nothing was learned from it yet."""

    id: UUID
    role: Role
    content: str
    needs_learning: bool


@dataclass(frozen=True)
class RetractedTurn:
    """A turn that is gone. `again` says that the message in its place has the same words: what was
    learned from them stays, and comes from the new message."""

    turn_id: UUID
    messages: tuple[RetractedMessage, ...]
    again: bool = False

    @property
    def messages_to_unlearn(self) -> tuple[UUID, ...]:
        """The messages from which what was learned goes as well."""
        return tuple(each.id for each in self.messages if not self.again or each.role != "user")

    @property
    def said(self) -> RetractedMessage | None:
        return next((each for each in self.messages if each.role == "user"), None)


async def retract_turn(
    connection: Connection, user_id: str, conversation_id: UUID, turn_id: UUID
) -> RetractedTurn:
    """Removes the messages of the last turn, within the caller's transaction. Raises NotTheLastTurn
    for any other one."""
    last = await connection.fetchval(_SQL["last_turn"], user_id, conversation_id)
    if last != turn_id:
        raise NotTheLastTurn
    rows = await connection.fetch(_SQL["remove_turn"], user_id, conversation_id, turn_id)
    rows.sort(key=lambda row: int(row["position"]))
    messages = [
        RetractedMessage(row["id"], row["role"], row["content"], row["needs_learning"])
        for row in rows
    ]
    await record_audit(
        connection, user_id, "turn_taken_back", Origin("user", turn_id), messages=len(messages)
    )
    return RetractedTurn(turn_id, tuple(messages))


async def carry_over_sources(connection: Connection, user_id: str, old: UUID, new: UUID) -> None:
    """What was learned from the old message comes from the new one."""
    await connection.execute(_SQL["carry_over"], user_id, old, new)


async def retitle_conversation(
    connection: Connection, user_id: str, conversation_id: UUID, old: str | None, new: str | None
) -> None:
    """A title that the old message gave is given by the new one."""
    await connection.execute(_SQL["retitle"], user_id, conversation_id, old, new)


class RetractionStore:
    """Takes back the last turn of a conversation, and what was learned from it alone. Every method
    is one transaction of the user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unlearn(
        self, user_id: str, turn_id: UUID, messages: Sequence[UUID], origin: Origin
    ) -> list[StoredMemory]:
        """What rests on these messages of a turn alone, to be forgotten. What that had replaced is
        true again from now on, and what they only said again is counted once less."""
        sources = [form for each in messages for form in (str(each), f"message:{each}")]
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["learned_alone"], user_id, sources)
            alone = [StoredMemory(**dict(row)) for row in rows]
            said_again = await connection.fetch(_SQL["count_less"], user_id, sources)
            touched = [row["id"] for row in said_again]
            by = [*(each.id for each in alone), *touched]
            for replaced in await connection.fetch(_SQL["replaced_in_turn"], user_id, turn_id, by):
                await _restore_superseded(connection, user_id, replaced["id"], origin)
                if replaced["by"] in touched:  # it had been replaced itself, and was revived
                    await supersede(connection, user_id, replaced["by"], replaced["id"])
        return alone

    async def allow_relearning(self, user_id: str, ids: Sequence[UUID]) -> None:
        """What was forgotten with a turn that was taken back may be said and kept again."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["allow_relearning"], user_id, list(ids))


async def _restore_superseded(
    connection: Connection, user_id: str, item_id: UUID, origin: Origin
) -> None:
    if await undo_supersede(connection, user_id, item_id) is not None:
        await record_audit(connection, user_id, "unsuperseded", origin, item_id)


class ConversationStore(Protocol):
    """What a session needs of wherever its messages are: the database, or this process alone."""

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int]: ...

    async def add_reply(
        self, user_id: str, conversation_id: UUID, reply: NewMessage
    ) -> tuple[StoredMessage, int]: ...

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int, RetractedTurn]: ...

    async def take_back(
        self, user_id: str, conversation_id: UUID, turn_id: UUID
    ) -> RetractedTurn: ...

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST_POSITION
    ) -> list[StoredMessage]: ...

    async def list_conversations(
        self, user_id: str, limit: int = 50
    ) -> list[StoredConversation]: ...

    async def browse(self, user_id: str, wanted: ConversationFilter) -> ConversationPage: ...

    async def read(self, user_id: str, conversation_id: UUID) -> StoredConversation | None: ...

    async def page(
        self, user_id: str, conversation_id: UUID, limit: int, before: int = LATEST_POSITION
    ) -> MessagePage: ...

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> list[MessageWithSources]: ...

    async def of_turn(self, user_id: str, correlation_id: UUID) -> list[MessageWithSources]: ...

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> StoredConversation | None: ...

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool: ...

    async def pop_message(self, user_id: str, conversation_id: UUID) -> StoredMessage | None: ...

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None: ...

    async def drop_user(self, user_id: str) -> None: ...


class DatabaseConversations:
    """Every method is one transaction of the user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int]:
        """Keeps a message, and its conversation when it is the first one; a message with an id
        that is there already replaces it.

        Beside the message stands the position of the one before it (0 where there
        is none), by which a cached history can be told from a stale one.
        """
        async with self._database.as_user(user_id) as connection:
            await open_conversation(connection, user_id, conversation_id, new, space)
            return await add_message(connection, user_id, conversation_id, new)

    async def add_reply(
        self, user_id: str, conversation_id: UUID, reply: NewMessage
    ) -> tuple[StoredMessage, int]:
        """As `add_message`, but it begins no conversation: of a reply to one that was deleted
        meanwhile nothing is kept or shown."""
        async with self._database.as_user(user_id) as connection:
            if not await continue_conversation(connection, user_id, conversation_id):
                return withheld_message(conversation_id, reply, 0), 0
            return await add_message(connection, user_id, conversation_id, reply)

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int, RetractedTurn]:
        """Keeps a message in the place of the last turn, which goes in the same transaction: at no
        moment are both there, or neither. With the same words what was learned from the old message
        comes from the new one, and nothing is learned twice. Raises NotTheLastTurn."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await open_conversation(connection, user_id, conversation_id, new, space)
            taken = await retract_turn(connection, user_id, conversation_id, instead_of)
            old = taken.said
            if old is not None and old.content == new.content:
                taken = replace(taken, again=True)
                new = replace(new, needs_learning=new.needs_learning and old.needs_learning)
            message, before = await add_message(connection, user_id, conversation_id, new)
            if old is not None:
                titles = (title_from(old.content), title_from(new.content))
                await retitle_conversation(connection, user_id, conversation_id, *titles)
            if old is not None and taken.again:
                await carry_over_sources(connection, user_id, old.id, message.id)
        return message, before, taken

    async def take_back(self, user_id: str, conversation_id: UUID, turn_id: UUID) -> RetractedTurn:
        """Removes the last turn. Raises NotTheLastTurn."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            return await retract_turn(connection, user_id, conversation_id, turn_id)

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST_POSITION
    ) -> list[StoredMessage]:
        """The newest `limit` messages with a position of at most `upto`, oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["read_recent"], user_id, conversation_id, limit, upto
            )
        return [StoredMessage(**dict(row)) for row in rows]

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[StoredConversation]:
        """The conversations of the user, the last used first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["list_conversations"], user_id, limit)
        return [StoredConversation(**dict(row)) for row in rows]

    async def browse(self, user_id: str, wanted: ConversationFilter) -> ConversationPage:
        """See `ConversationFilter`; the last used first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, *wanted.arguments)
        found = tuple(StoredConversation(**dict(row)) for row in rows[: wanted.limit])
        last = found[-1] if len(rows) > wanted.limit else None
        return ConversationPage(
            found, None if last is None else PageCursor(created_at=last.updated_at, id=last.id)
        )

    async def read(self, user_id: str, conversation_id: UUID) -> StoredConversation | None:
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["read"], user_id, conversation_id)
        return None if row is None else StoredConversation(**dict(row))

    async def page(
        self, user_id: str, conversation_id: UUID, limit: int, before: int = LATEST_POSITION
    ) -> MessagePage:
        """The newest messages before a position."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["page"], user_id, conversation_id, before, limit + 1)
        return to_message_page([_with_sources(dict(row)) for row in rows], limit)

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> list[MessageWithSources]:
        """Those of the messages that are still there."""
        if not ids:
            return []
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_several"], user_id, list(ids))
        return [_with_sources(dict(row)) for row in rows]

    async def of_turn(self, user_id: str, correlation_id: UUID) -> list[MessageWithSources]:
        """What was said in a turn, in order; empty where there is nothing of it."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["of_turn"], user_id, correlation_id)
        return [_with_sources(dict(row)) for row in rows]

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> StoredConversation | None:
        """None where it is not there. The audit log says that it was, not how it is called."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["rename"], user_id, conversation_id, title)
            if row is not None:
                await record_audit(
                    connection,
                    user_id,
                    "conversation_renamed",
                    origin,
                    conversation=conversation_id,
                )
        return None if row is None else StoredConversation(**dict(row))

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Removes a conversation with all that was said in it; whether it was there."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            gone = await connection.fetchval(_SQL["remove_conversation"], user_id, conversation_id)
            if gone is not None:
                await record_audit(
                    connection, user_id, "conversation_deleted", origin, conversation=gone
                )
        return gone is not None

    async def pop_message(self, user_id: str, conversation_id: UUID) -> StoredMessage | None:
        """Takes the newest message away and returns it."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(_SQL["last_message"], user_id, conversation_id)
            if row is None:
                return None
            await connection.execute(_SQL["remove_message"], user_id, row["id"])
        return StoredMessage(**dict(row))

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None:
        """Removes every message of the conversation; the conversation stays."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await connection.execute(_SQL["clear_conversation"], user_id, conversation_id)

    async def drop_user(self, user_id: str) -> None:
        """Nothing to do: none of it is in this process alone."""


def _with_sources(row: dict[str, Any]) -> MessageWithSources:
    recalled = json.loads(row.pop("recalled"))
    return MessageWithSources(StoredMessage(**row), tuple(recalled))


class PrivacyFlags:
    """One word on a conversation's row, and no trace of what is said; without it a conversation
    that became incognito would be stored again by a process that knows nothing of that. It is all
    that an incognito conversation may write."""

    def __init__(self, database: Database, counters: MemoryMetrics | None = None) -> None:
        self._database = database
        self._counters = counters or MemoryMetrics()

    async def mark(self, user_id: str, conversation_id: UUID, privacy: Privacy) -> None:
        """Without effect on a conversation of which nothing is stored: that one is gone with its
        process. Raises DatabaseUnavailable."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["mark"], user_id, conversation_id, privacy)
        self._counters.count_action("incognito off" if privacy == "normal" else "incognito on")
