from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from memory.actions.forgetting.proof import TombstoneDigester
from memory.fingerprints import KeyedDigester
from memory.store.database import Database
from memory.store.forgetting import (
    Tombstone,
    TombstoneDigests,
    find_blocking_tombstones,
    is_blocking,
    lift_tombstones,
)
from tests.memory.fakes import vector_of

MARKER = TombstoneDigester(KeyedDigester(b"k" * 32))
TEXT = "My sister Maria lives in Oslo with her two cats"


def marks_of(text: str = TEXT) -> TombstoneDigests:
    return MARKER(text, vector_of(text))


async def bury(
    database: Database,
    user_id: str,
    marks: TombstoneDigests,
    *,
    space: str = "default",
    lasts: timedelta = timedelta(hours=24),
) -> UUID:
    item_id, now = uuid4(), datetime.now(UTC)
    async with database.as_user(user_id) as connection:
        await connection.execute(
            """INSERT INTO tombstones (user_id, item_id, space, digest, simhash, sketch,
                                       created_at, expires_at, erase_after)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)""",
            user_id,
            item_id,
            space,
            marks.text,
            marks.simhash,
            marks.sketch,
            now,
            now + lasts,
        )
    return item_id


async def blocking(
    database: Database, user_id: str, marks: TombstoneDigests, space: str = "default"
) -> list[UUID]:
    async with database.as_user(user_id) as connection:
        found = await find_blocking_tombstones(connection, user_id, space, marks)
    return [stone.item_id for stone in found]


async def test_the_same_words_are_blocked_for_user_and_space_alone(
    database: Database, user_id: str
) -> None:
    stone = await bury(database, user_id, marks_of())
    assert await blocking(database, user_id, marks_of()) == [stone]
    assert await blocking(database, user_id, marks_of(), "work") == []
    assert await blocking(database, f"{user_id}-other", marks_of()) == []
    assert await blocking(database, user_id, marks_of("I prefer tea over coffee")) == []


async def test_what_has_expired_or_was_lifted_blocks_nothing(
    database: Database, user_id: str
) -> None:
    await bury(database, user_id, marks_of(), lasts=-timedelta(seconds=1))
    assert await blocking(database, user_id, marks_of()) == []
    stone = await bury(database, user_id, marks_of())
    async with database.as_user(user_id) as connection:
        await lift_tombstones(
            connection,
            user_id,
            await find_blocking_tombstones(connection, user_id, "default", marks_of()),
        )
    assert await blocking(database, user_id, marks_of()) == []
    async with database.as_user(user_id) as connection:
        left = await connection.fetchval(
            "SELECT count(*) FROM tombstones WHERE item_id = $1", stone
        )
    assert left == 1


async def test_the_last_to_expire_comes_first(database: Database, user_id: str) -> None:
    soon = await bury(database, user_id, marks_of(), lasts=timedelta(hours=1))
    late = await bury(database, user_id, marks_of(), lasts=timedelta(hours=2))
    assert await blocking(database, user_id, marks_of()) == [late, soon]


def stone_of(marks: TombstoneDigests) -> Tombstone:
    now = datetime.now(UTC)
    return Tombstone(uuid4(), marks.text, marks.simhash, marks.sketch, now, now)


def test_each_mark_blocks_by_itself() -> None:
    marks = marks_of()
    other = marks_of("I prefer tea over coffee")
    assert not is_blocking(stone_of(other), marks)
    assert is_blocking(stone_of(replace(other, text=marks.text)), marks)
    assert is_blocking(stone_of(replace(other, simhash=marks.simhash)), marks)
    assert is_blocking(stone_of(replace(other, sketch=marks.sketch)), marks)


@pytest.mark.parametrize(("bits", "blocked"), [(3, True), (4, False)])
def test_three_bits_of_simhash(bits: int, blocked: bool) -> None:
    marks = replace(marks_of(), sketch=None)
    changed = replace(marks, text=b"other", simhash=marks.simhash ^ (2**bits - 1))
    assert is_blocking(stone_of(changed), marks) is blocked


def test_a_paraphrase_is_blocked_by_its_vector() -> None:
    said = "Maria my sister lives in Oslo with her two cats"
    paraphrase = replace(marks_of(said), simhash=~marks_of().simhash)
    assert paraphrase.text != marks_of().text
    assert is_blocking(stone_of(marks_of()), paraphrase)
    assert not is_blocking(stone_of(marks_of()), replace(paraphrase, sketch=None))
    assert not is_blocking(stone_of(replace(marks_of(), sketch=b"short")), paraphrase)
