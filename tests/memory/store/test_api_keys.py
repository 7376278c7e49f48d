from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg
import pytest

from memory.errors import NoSuchKey
from memory.service import MemoryService
from memory.store.audit import AuditStore
from memory.store.credentials import ActiveKey, ApiKeyStore
from memory.store.database import Database
from memory.types import Origin
from tests.memory.exports import exported

LATER = datetime.now(UTC) + timedelta(days=90)
EARLIER = datetime.now(UTC) - timedelta(seconds=1)


@pytest.fixture
def keys(database: Database) -> ApiKeyStore:
    return ApiKeyStore(database)


@pytest.fixture
def digest() -> bytes:
    return hashlib.sha256(uuid4().bytes).digest()


async def test_a_living_key_says_whose_it_is(
    keys: ApiKeyStore, user_id: str, digest: bytes
) -> None:
    added = await keys.add(user_id, digest, "laptop", LATER)
    assert await keys.find(digest) == ActiveKey(user_id, added.id, LATER, None)
    assert await keys.lives(user_id, added.id)
    assert added.is_living(datetime.now(UTC))
    assert await keys.read_all(user_id) == [added]


async def test_one_without_an_end(keys: ApiKeyStore, user_id: str, digest: bytes) -> None:
    added = await keys.add(user_id, digest, "laptop", None)
    assert await keys.find(digest) == ActiveKey(user_id, added.id, None, None)


async def test_an_expired_key_opens_nothing(keys: ApiKeyStore, user_id: str, digest: bytes) -> None:
    added = await keys.add(user_id, digest, "laptop", EARLIER)
    assert await keys.find(digest) is None
    assert not await keys.lives(user_id, added.id)
    assert not added.is_living(datetime.now(UTC))


async def test_a_revoked_key_opens_nothing_and_stays_revoked(
    keys: ApiKeyStore, user_id: str, digest: bytes
) -> None:
    added = await keys.add(user_id, digest, "laptop", LATER)
    revoked = await keys.revoke(user_id, added.id)
    assert revoked.revoked_at is not None
    assert not revoked.is_living(datetime.now(UTC))
    assert await keys.find(digest) is None
    assert not await keys.lives(user_id, added.id)
    assert await keys.revoke(user_id, added.id) == revoked


async def test_an_unknown_digest_is_nobodys(keys: ApiKeyStore, digest: bytes) -> None:
    assert await keys.find(digest) is None
    assert await keys.find(b"") is None


async def test_another_users_key_is_neither_listed_nor_revoked(
    keys: ApiKeyStore, user_id: str, digest: bytes
) -> None:
    added = await keys.add(user_id, digest, "laptop", LATER)
    eve = f"{user_id}-eve"
    assert await keys.read_all(eve) == []
    assert not await keys.lives(eve, added.id)
    with pytest.raises(NoSuchKey):
        await keys.revoke(eve, added.id)
    assert await keys.find(digest) is not None


@pytest.mark.parametrize("column", ["user_id", "digest", "expires_at", "name", "created_at"])
async def test_nothing_of_a_key_is_changed_but_that_it_is_revoked(
    keys: ApiKeyStore, database: Database, user_id: str, digest: bytes, column: str
) -> None:
    await keys.add(user_id, digest, "laptop", EARLIER)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.as_user(user_id) as connection:
            await connection.execute(f"UPDATE api_keys SET {column} = {column}")


async def test_it_is_written_down_without_the_digest(
    keys: ApiKeyStore, database: Database, user_id: str, digest: bytes
) -> None:
    added = await keys.add(user_id, digest, "laptop", LATER, Origin("user"))
    await keys.revoke(user_id, added.id)
    revoked, made = await AuditStore(database).read(user_id)
    assert (made.action, revoked.action) == ("key added", "key revoked")
    assert made.detail == revoked.detail == {"key_id": str(added.id)}


async def test_an_export_tells_of_the_keys_and_erasing_everything_takes_them(
    keys: ApiKeyStore, memory: MemoryService, user_id: str, digest: bytes
) -> None:
    added = await keys.add(user_id, digest, "laptop", LATER)
    export = await exported(memory.portability, user_id)
    [told] = export["api_keys"]
    assert (told["id"], told["name"]) == (str(added.id), "laptop")
    assert "digest" not in told
    assert digest.hex() not in str(export)
    erased = await memory.portability.erase_everything(user_id)
    assert erased.rows["api_keys"] == 1
    assert await keys.find(digest) is None
    assert await keys.read_all(user_id) == []
