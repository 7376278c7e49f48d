from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import asyncpg
import pytest

from app.api.auth.api_keys import (
    WRITE_PAUSE,
    ApiKeyVerifier,
    KeyUsageRecorder,
    key_digest,
    make_key,
)
from memory.errors import NotSignedIn
from memory.store.credentials import ActiveKey, ApiKeyStore
from memory.store.database import Database
from tests.app.identity.test_failed_attempts import Clock

TODAY = date(2026, 11, 22)


@pytest.fixture
def keys(database: Database) -> ApiKeyStore:
    return ApiKeyStore(database)


async def made(keys: ApiKeyStore, user_id: str) -> ActiveKey:
    digest = key_digest(make_key())
    await keys.add(user_id, digest, "key", datetime.now(UTC) + timedelta(days=1))
    found = await keys.find(digest)
    assert found is not None
    return found


async def used_on(keys: ApiKeyStore, user_id: str) -> list[date | None]:
    return [key.last_used_on for key in await keys.read_all(user_id)]


async def test_the_day_is_written_behind_the_request(
    keys: ApiKeyStore, user_id: str, database_url: str
) -> None:
    use = KeyUsageRecorder(keys)
    key = await made(keys, user_id)
    owner = await asyncpg.connect(database_url)
    async with owner.transaction():
        await owner.execute("LOCK TABLE api_keys IN SHARE MODE")  # it can be read, not written
        use.note(key, TODAY)
        assert await used_on(keys, user_id) == [None]
    await owner.close()
    await use.aclose()
    assert await used_on(keys, user_id) == [TODAY]


async def test_a_key_of_nobody_opens_nothing(keys: ApiKeyStore) -> None:
    """As it could be made before that name was refused."""
    credential = make_key()
    ends = datetime.now(UTC) + timedelta(days=1)
    made = await keys.add("-", key_digest(credential), "key", ends)
    with pytest.raises(NotSignedIn):
        await ApiKeyVerifier(keys, KeyUsageRecorder(keys)).verify(credential)
    await keys.revoke("-", made.id)


async def test_an_earlier_day_changes_nothing(keys: ApiKeyStore, user_id: str) -> None:
    key = await made(keys, user_id)
    await keys.note_use(user_id, key.id, TODAY)
    await keys.note_use(user_id, key.id, TODAY - timedelta(days=1))
    assert await used_on(keys, user_id) == [TODAY]


async def test_it_writes_once_a_minute_at_most(keys: ApiKeyStore, user_id: str) -> None:
    clock = Clock()
    use = KeyUsageRecorder(keys, clock=clock)
    use.note(await made(keys, user_id), TODAY)
    await _idle(use)
    use.note(await made(keys, user_id), TODAY)
    await _idle(use)
    assert sorted(await used_on(keys, user_id), key=str) == [TODAY, None]
    clock.now += WRITE_PAUSE
    use.note(await made(keys, user_id), TODAY)
    await _idle(use)
    assert await used_on(keys, user_id) == [TODAY] * 3


async def test_what_is_known_is_not_written_again(keys: ApiKeyStore, user_id: str) -> None:
    key = await made(keys, user_id)
    use = KeyUsageRecorder(keys)
    use.note(ActiveKey(user_id, key.id, None, TODAY), TODAY)
    assert use._task is None


async def test_a_database_that_is_away_is_nobodys_trouble(
    own_database: Database, user_id: str
) -> None:
    keys = ApiKeyStore(own_database)
    key = await made(keys, user_id)
    await own_database.close()
    use = KeyUsageRecorder(keys)
    use.note(key, TODAY)
    await use.aclose()


async def _idle(use: KeyUsageRecorder) -> None:
    if use._task is not None:
        await asyncio.wait({use._task})
