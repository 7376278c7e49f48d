"""The undo of a forgetting: what is not erased yet is in recall again as it was before."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory.database import Connection
from memory.models import Origin
from memory.store.audit import record
from memory.store.forgetting.reaching import reach
from memory.store.memories.rests import drop_rests
from memory.store.queries import load_queries
from memory.store.upkeep.archive import archive_again, release

_SQL = load_queries("forgetting/undo")


async def bring_last_back(connection: Connection, user_id: str, origin: Origin) -> list[UUID]:
    """Brings back what was forgotten last and is not erased yet, within the caller's transaction
    and under the user's lock."""
    rows = await connection.fetch(_SQL["last_forgotten"], user_id)
    return await _unbury(connection, user_id, [row["item_id"] for row in rows], [], origin)


async def bring_back(
    connection: Connection, user_id: str, ids: Sequence[UUID], origin: Origin
) -> list[UUID]:
    """Brings back what is not erased yet of these, with what went with them, within the caller's
    transaction and under the user's lock."""
    reached = await reach(connection, user_id, ids)
    copies = [each.item.id for each in reached if each.copy]
    wanted = [each.item.id for each in reached]
    return await _unbury(connection, user_id, wanted, copies, origin)


async def _unbury(
    connection: Connection,
    user_id: str,
    wanted: Sequence[UUID],
    copies: Sequence[UUID],
    origin: Origin,
) -> list[UUID]:
    """A roll-up that tells of something else which stays forgotten stays so with it; what it had
    taken the place of is in recall by itself."""
    telling = await connection.fetch(_SQL["tells_of_the_forgotten"], user_id, wanted)
    held_back = [row["id"] for row in telling]
    free = [each for each in wanted if each not in held_back]
    rows = await connection.fetch(_SQL["unbury"], user_id, free, copies)
    back = [row["item_id"] for row in rows]
    why = [row["why"] for row in rows]
    await connection.execute(_SQL["bring_back"], user_id, back, why)
    await drop_rests(connection, user_id, back)
    await release(connection, user_id, held_back)
    await archive_again(connection, user_id, back)
    await connection.execute(_SQL["reopen_doubts"], user_id, back)
    for item_id in back:
        await record(connection, user_id, "unforgotten", origin, item_id)
    return back
