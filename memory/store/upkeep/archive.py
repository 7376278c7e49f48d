"""The single memories that a roll-up took the place of, when the roll-up goes or comes back."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory.database import Connection
from memory.store.queries import load_queries

_SQL = load_queries("upkeep/archive")


async def release(
    connection: Connection, user_id: str, roll_ups: Sequence[UUID], but: Sequence[UUID] = ()
) -> list[UUID]:
    """Brings back into recall what was archived for these, `but` some; their ids. Those of the
    ids that are no roll-ups have nothing archived for them."""
    rows = await connection.fetch(_SQL["release"], user_id, list(roll_ups), list(but))
    return [row["id"] for row in rows]


async def archive_again(connection: Connection, user_id: str, roll_ups: Sequence[UUID]) -> None:
    """Takes out of recall again what those of the roll-ups tell of that are in recall."""
    await connection.execute(_SQL["archive_again"], user_id, list(roll_ups))


async def replace_in(connection: Connection, user_id: str, roll_up: UUID, by: UUID) -> None:
    """A roll-up that is replaced by another memory tells several things, of which that one speaks
    of one: the others are in recall again by themselves, and that one alone is replaced."""
    back = await release(connection, user_id, [roll_up])
    if back:
        about = await connection.fetchval(_SQL["contradicted"], user_id, back, by)
        await connection.execute(_SQL["replace"], user_id, about, by)
