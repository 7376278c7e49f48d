"""Taking back the last turn of a conversation, and what was learned from it alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.database import Connection, Database
from memory.errors import NotTheLastTurn
from memory.models import KeptItem, Origin, Role
from memory.store.audit import record
from memory.store.memories.items import KEPT_COLUMNS, lock_user, supersede, undo_supersede
from memory.store.queries import load_queries

_SQL = {
    name: sql.replace("{columns}", KEPT_COLUMNS)
    for name, sql in load_queries("conversations/taking_back").items()
}


@dataclass(frozen=True)
class TakenMessage:
    """A message that is gone; `needs_learning` says that nothing was learned from it yet."""

    id: UUID
    role: Role
    content: str
    needs_learning: bool


@dataclass(frozen=True)
class TakenBack:
    """A turn that is gone. `again` says that the message in its place has the same words: what was
    learned from them stays, and comes from the new message."""

    turn_id: UUID
    messages: tuple[TakenMessage, ...]
    again: bool = False

    @property
    def to_unlearn(self) -> tuple[UUID, ...]:
        """The messages from which what was learned goes as well."""
        return tuple(each.id for each in self.messages if not self.again or each.role != "user")

    @property
    def said(self) -> TakenMessage | None:
        return next((each for each in self.messages if each.role == "user"), None)


async def take_back(
    connection: Connection, user_id: str, conversation_id: UUID, turn_id: UUID
) -> TakenBack:
    """Removes the messages of the last turn, within the caller's transaction. Raises NotTheLastTurn
    for any other one."""
    last = await connection.fetchval(_SQL["last_turn"], user_id, conversation_id)
    if last != turn_id:
        raise NotTheLastTurn
    rows = await connection.fetch(_SQL["remove_turn"], user_id, conversation_id, turn_id)
    rows.sort(key=lambda row: int(row["position"]))
    messages = [
        TakenMessage(row["id"], row["role"], row["content"], row["needs_learning"]) for row in rows
    ]
    await record(
        connection, user_id, "turn_taken_back", Origin("user", turn_id), messages=len(messages)
    )
    return TakenBack(turn_id, tuple(messages))


async def carry_over(connection: Connection, user_id: str, old: UUID, new: UUID) -> None:
    """What was learned from the old message comes from the new one."""
    await connection.execute(_SQL["carry_over"], user_id, old, new)


async def retitle(
    connection: Connection, user_id: str, conversation_id: UUID, old: str | None, new: str | None
) -> None:
    """A title that the old message gave is given by the new one."""
    await connection.execute(_SQL["retitle"], user_id, conversation_id, old, new)


class TakingBackStore:
    """Every method is one transaction of the user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unlearn(
        self, user_id: str, turn_id: UUID, messages: Sequence[UUID], origin: Origin
    ) -> list[KeptItem]:
        """What rests on these messages of a turn alone, to be forgotten. What that had replaced is
        true again from now on, and what they only said again is counted once less."""
        sources = [form for each in messages for form in (str(each), f"message:{each}")]
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["learned_alone"], user_id, sources)
            alone = [KeptItem(**dict(row)) for row in rows]
            said_again = await connection.fetch(_SQL["count_less"], user_id, sources)
            touched = [row["id"] for row in said_again]
            by = [*(each.id for each in alone), *touched]
            for replaced in await connection.fetch(_SQL["replaced_in_turn"], user_id, turn_id, by):
                await _restore(connection, user_id, replaced["id"], origin)
                if replaced["by"] in touched:  # it had been replaced itself, and was revived
                    await supersede(connection, user_id, replaced["by"], replaced["id"])
        return alone

    async def let_return(self, user_id: str, ids: Sequence[UUID]) -> None:
        """What was forgotten with a turn that was taken back may be said and kept again."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["let_return"], user_id, list(ids))


async def _restore(connection: Connection, user_id: str, item_id: UUID, origin: Origin) -> None:
    if await undo_supersede(connection, user_id, item_id) is not None:
        await record(connection, user_id, "unsuperseded", origin, item_id)
