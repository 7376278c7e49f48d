"""Whose memories a command of the upkeep is for."""

from __future__ import annotations

from app.wiring import Keepsake
from memory.database import WORKER_ROLE
from memory.store.upkeep.residents import Residents

_PAGE = 500


async def users_of(keepsake: Keepsake, *, all_users: bool) -> list[str]:
    """The user of the settings, or everybody who has memories, in the order of their names. Raises
    SchemaOutdated where the login may not act as the worker, who alone knows who there is."""
    if not all_users:
        return [keepsake.settings.keepsake_user]
    residents = Residents(keepsake.database.acting_as(WORKER_ROLE))
    users: list[str] = []
    while page := await residents.users(users[-1] if users else "", _PAGE):
        users += page
    return users
