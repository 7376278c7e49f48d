"""Spaces: what a user set for one, and which users have something in them."""

from __future__ import annotations

from memory.metrics import MemoryMetrics, UserAction
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, load_queries
from memory.types import DEFAULT_SPACE, NO_USER, MemoryMode, Origin, SpaceSettings

MODE_ACTIONS: dict[MemoryMode, UserAction] = {
    "full": "memory on",
    "read_only": "memory read-only",
    "off": "memory off",
}
_SQL = load_queries("spaces")


class SpaceSettingsStore:
    def __init__(self, database: Database, counters: MemoryMetrics | None = None) -> None:
        self._database = database
        self._counters = counters or MemoryMetrics()

    async def read(self, user_id: str, space: str = DEFAULT_SPACE) -> SpaceSettings:
        """What the user set, or the defaults where nothing was."""
        async with self._database.as_user(user_id) as connection:
            return await _read_settings(connection, user_id, space)

    async def is_off(self, user_id: str, space: str) -> bool:
        """Whether nothing of the space may be recalled."""
        return (await self.read(user_id, space)).memory_mode == "off"

    async def change(
        self,
        user_id: str,
        space: str,
        origin: Origin,
        *,
        memory_mode: MemoryMode | None = None,
        incognito_default: bool | None = None,
        redact_messages: bool | None = None,
    ) -> SpaceSettings:
        """Sets what is given and leaves the rest."""
        wanted = {
            "memory_mode": memory_mode,
            "incognito_default": incognito_default,
            "redact_messages": redact_messages,
        }
        changed = {name: value for name, value in wanted.items() if value is not None}
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_settings"], user_id)
            old = await _read_settings(connection, user_id, space)
            new = old.model_copy(update=changed)
            await connection.execute(_SQL["change"], user_id, space, *dict(new).values())
            await record_audit(
                connection, user_id, "settings changed", origin, space=space, changed=changed
            )
        if new.memory_mode != old.memory_mode:
            self._counters.count_action(MODE_ACTIONS[new.memory_mode])
        return new


async def _read_settings(connection: Connection, user_id: str, space: str) -> SpaceSettings:
    row = await connection.fetchrow(_SQL["read"], user_id, space)
    return SpaceSettings() if row is None else SpaceSettings(**dict(row))


class UsersWithData:
    """Who has memories, and where, and of whom something is noted. `users` and `noted` are for a
    database that acts as the worker, `spaces` for one that acts as the application."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def users(self, after: str, limit: int) -> list[str]:
        """The next users who have memories, in the order of their names."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["users"], after, limit)
        return [row["user_id"] for row in rows]

    async def noted(self, after: str, limit: int) -> list[str]:
        """The next users of whom there is an audit log or a tombstone, whether or not they have
        memories left, in the order of their names."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["noted"], after, limit)
        return [row["user_id"] for row in rows]

    async def spaces(self, user_id: str) -> list[str]:
        """The spaces in which the user has memories."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["spaces"], user_id)
        return [row["space"] for row in rows]
