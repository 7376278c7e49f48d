from __future__ import annotations

import asyncio

import pytest

from memory.errors import MemoryOff
from memory.store.audit import AuditStore
from memory.store.database import Database
from memory.store.spaces import SpaceSettingsStore
from memory.types import MemoryMode, Origin, SpaceSettings

USER = Origin("user")


@pytest.fixture
def modes(database: Database) -> SpaceSettingsStore:
    return SpaceSettingsStore(database)


async def test_without_a_choice_there_are_the_defaults(
    modes: SpaceSettingsStore, user_id: str
) -> None:
    assert await modes.read(user_id) == SpaceSettings()


async def test_a_change_leaves_the_rest_other_spaces_and_users(
    modes: SpaceSettingsStore, user_id: str
) -> None:
    await modes.change(user_id, "work", USER, incognito_default=True)
    changed = await modes.change(user_id, "work", USER, memory_mode="off", redact_messages=False)
    wanted = SpaceSettings(memory_mode="off", incognito_default=True, redact_messages=False)
    assert changed == await modes.read(user_id, "work") == wanted
    assert await modes.read(user_id) == SpaceSettings()
    assert await modes.read(f"{user_id}-other", "work") == SpaceSettings()


async def test_changes_at_once_are_all_kept(modes: SpaceSettingsStore, user_id: str) -> None:
    await asyncio.gather(
        modes.change(user_id, "default", USER, memory_mode="read_only"),
        modes.change(user_id, "default", USER, incognito_default=True),
        modes.change(user_id, "default", USER, redact_messages=False),
    )
    assert await modes.read(user_id) == SpaceSettings(
        memory_mode="read_only", incognito_default=True, redact_messages=False
    )


async def test_a_change_is_written_down(
    modes: SpaceSettingsStore, database: Database, user_id: str
) -> None:
    await modes.change(user_id, "default", USER, memory_mode="off")
    [entry] = await AuditStore(database).read(user_id)
    assert entry.action == "settings changed"
    assert entry.detail == {"space": "default", "changed": {"memory_mode": "off"}}


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_the_database_refuses_what_the_mode_forbids(
    modes: SpaceSettingsStore, database: Database, user_id: str, mode: MemoryMode
) -> None:
    await modes.change(user_id, "default", USER, memory_mode=mode)
    add = "INSERT INTO memory_items (user_id, content, type) VALUES ($1, 'x', 'fact')"
    with pytest.raises(MemoryOff):
        async with database.as_user(user_id) as connection:
            await connection.execute(add, user_id)
    await modes.change(user_id, "default", USER, memory_mode="full")
    async with database.as_user(user_id) as connection:
        await connection.execute(add, user_id)
