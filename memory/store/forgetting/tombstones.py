"""What was forgotten a short while ago, and does not come back yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.database import Connection
from memory.digests import sketch_similarity
from memory.errors import RecentlyForgotten
from memory.simhash import NEAR, hamming
from memory.store.forgetting.forgetting import Marks
from memory.store.queries import load_queries

# A paraphrase: 004 1.3 calls a memory novel below this cosine.
SAME_SKETCH = 0.82
_SQL = load_queries("forgetting/tombstones")


@dataclass(frozen=True)
class Tombstone:
    """`can_return` while the memory itself waits for its erasure; `same` where what runs into it
    says the same, and is not only like it: “my Audi is green” is like “my BMW is green”."""

    item_id: UUID
    digest: bytes
    simhash: int
    sketch: bytes | None
    created_at: datetime
    expires_at: datetime
    can_return: bool = False
    same: bool = False


async def find_blocking(
    connection: Connection, user_id: str, space: str, marks: Marks
) -> list[Tombstone]:
    """The tombstones that a new memory of these marks runs into, the last to expire first.

    One blocks by the same words, a keyed SimHash at most three bits apart, or sketches that let a
    cosine of 0.82 or more expect.
    """
    standing = await read_standing(connection, user_id, [space])
    found = [stone for stone in standing.get(space, ()) if blocks(stone, marks)]
    told = [replace(stone, same=says_the_same(stone, marks)) for stone in found]
    return sorted(told, key=lambda stone: stone.expires_at, reverse=True)


async def read_standing(
    connection: Connection, user_id: str, spaces: Sequence[str]
) -> dict[str, list[Tombstone]]:
    """What still keeps something out of each of the spaces."""
    found: dict[str, list[Tombstone]] = {}
    for row in await connection.fetch(_SQL["standing"], user_id, spaces):
        columns = dict(row)
        found.setdefault(columns.pop("space"), []).append(Tombstone(**columns))
    return found


async def lift(connection: Connection, user_id: str, stones: Sequence[Tombstone]) -> None:
    """Lets what they kept out come back, and leaves the conversations alone in which the user
    says it again: of what still waits the memory is erased, and nothing else."""
    await connection.execute(_SQL["lift"], user_id, [stone.item_id for stone in stones])


def refusal_of(stone: Tombstone) -> RecentlyForgotten:
    """What is said to who would bring it back."""
    until = f"{_day(stone.expires_at)}, {stone.expires_at:%H:%M} UTC"
    what = "this" if stone.same else "something much like this"
    return RecentlyForgotten(what=what, day=_day(stone.created_at), until=until)


def says_the_same(stone: Tombstone, marks: Marks) -> bool:
    """By its words, not only by its meaning."""
    return stone.digest == marks.text or hamming(stone.simhash, marks.simhash) <= NEAR


def blocks(stone: Tombstone, marks: Marks) -> bool:
    if says_the_same(stone, marks):
        return True
    if stone.sketch is None or marks.sketch is None or len(stone.sketch) != len(marks.sketch):
        return False
    return sketch_similarity(stone.sketch, marks.sketch) >= SAME_SKETCH


def _day(moment: datetime) -> str:
    return f"{moment:%d %B %Y}".lstrip("0")
