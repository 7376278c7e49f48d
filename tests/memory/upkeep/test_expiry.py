from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory.maintenance.retention import ExpiredRecords, RecordExpiry
from memory.store.database import Database
from memory.store.lifecycle import ExpiryStore
from tests.memory.controls.conftest import Kept

NOW = datetime.now(UTC)


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database)


def expiry(database: Database, days: int = 365) -> RecordExpiry:
    age = timedelta(days=days)
    return RecordExpiry(ExpiryStore(database), audit=age, tombstones=age)


async def log(kept: Kept, user_id: str, *ages: int) -> None:
    for days in ages:
        await kept.execute(
            user_id,
            "INSERT INTO audit_log (user_id, action, created_at) VALUES ($1, 'kept', $2)",
            user_id,
            NOW - timedelta(days=days),
        )


async def bury(kept: Kept, user_id: str, *, erased: int | None, until: int) -> None:
    """A tombstone of what was erased so many days ago and is refused for so many more."""
    await kept.execute(
        user_id,
        "INSERT INTO tombstones (user_id, item_id, digest, simhash, erase_after, erased_at,"
        " expires_at) VALUES ($1, $2, 'x', 0, $3, $4, $5)",
        user_id,
        uuid4(),
        NOW,
        None if erased is None else NOW - timedelta(days=erased),
        NOW + timedelta(days=until),
    )


async def test_the_log_and_the_proofs_end_with_their_time(
    database: Database, kept: Kept, user_id: str
) -> None:
    other = f"{user_id}-other"
    await log(kept, user_id, 1, 364, 366, 999)
    await log(kept, other, 999)
    await bury(kept, user_id, erased=366, until=-366)
    assert await expiry(database).run(user_id, NOW) == ExpiredRecords(2, 1)
    assert await expiry(database).run(user_id, NOW) == ExpiredRecords(0, 0)
    assert len(await kept.actions(other)) == 1


async def test_what_still_keeps_a_memory_out_or_waits_stays(
    database: Database, kept: Kept, user_id: str
) -> None:
    await bury(kept, user_id, erased=999, until=1)
    await bury(kept, user_id, erased=None, until=-999)
    await bury(kept, user_id, erased=364, until=-363)
    assert await expiry(database).run(user_id, NOW) == ExpiredRecords(0, 0)


async def test_nobody_can_remove_the_log_of_the_last_thirty_days(
    database: Database, kept: Kept, user_id: str
) -> None:
    await log(kept, user_id, 1, 29, 31)
    assert (await expiry(database, days=1).run(user_id, NOW)).audit_entries == 1
    assert len(await kept.actions(user_id)) == 2
