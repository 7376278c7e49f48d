"""Whose memories a command of the upkeep is for."""

from __future__ import annotations

from collections.abc import AsyncIterator

from app.wiring import Keepsake
from app.work.lifecycle import everybody


async def users_of(keepsake: Keepsake, *, all_users: bool) -> AsyncIterator[str]:
    """The user of the settings, or everybody. Raises SchemaOutdated where the login may not act
    as the worker, who alone knows who there is."""
    if not all_users:
        yield keepsake.settings.keepsake_user
        return
    async for user_id in everybody(keepsake):
        yield user_id
