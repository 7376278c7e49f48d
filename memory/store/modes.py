"""What a user set for a space: whether memory is on, how private a conversation begins, and how
much is told beside replies."""

from __future__ import annotations

from memory.counters import Counters
from memory.database import Connection, Database
from memory.models import DEFAULT_SPACE, Frozen, MemoryMode, Notices, Origin
from memory.series import UserAction
from memory.store.audit import record
from memory.store.queries import load_queries

SWITCHED: dict[MemoryMode, UserAction] = {
    "full": "memory on",
    "read_only": "memory read-only",
    "off": "memory off",
}
_SQL = load_queries("modes")


class SpaceSettings(Frozen):
    """`full` reads and writes, `read_only` recalls alone, `off` does neither.

    `incognito_default` begins every conversation incognito; `redact_messages` keeps secrets out
    of stored messages. Beside a reply `notices` tell what was noted, only what was replaced or left
    out, or nothing; what has to be asked is asked.
    """

    memory_mode: MemoryMode = "full"
    incognito_default: bool = False
    redact_messages: bool = True
    notices: Notices = "all"


class Modes:
    def __init__(self, database: Database, counters: Counters | None = None) -> None:
        self._database = database
        self._counters = counters or Counters()

    async def read(self, user_id: str, space: str = DEFAULT_SPACE) -> SpaceSettings:
        """What the user set, or the defaults where nothing was."""
        async with self._database.as_user(user_id) as connection:
            return await _read(connection, user_id, space)

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
        notices: Notices | None = None,
    ) -> SpaceSettings:
        """Sets what is given and leaves the rest."""
        wanted = {
            "memory_mode": memory_mode,
            "incognito_default": incognito_default,
            "redact_messages": redact_messages,
            "notices": notices,
        }
        changed = {name: value for name, value in wanted.items() if value is not None}
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_settings"], user_id)
            old = await _read(connection, user_id, space)
            new = old.model_copy(update=changed)
            await connection.execute(_SQL["change"], user_id, space, *dict(new).values())
            await record(
                connection, user_id, "settings changed", origin, space=space, changed=changed
            )
        if new.memory_mode != old.memory_mode:
            self._counters.count_action(SWITCHED[new.memory_mode])
        return new


async def _read(connection: Connection, user_id: str, space: str) -> SpaceSettings:
    row = await connection.fetchrow(_SQL["read"], user_id, space)
    return SpaceSettings() if row is None else SpaceSettings(**dict(row))
