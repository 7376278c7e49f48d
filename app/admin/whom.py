"""Whose memories a command of the upkeep is for."""

from __future__ import annotations

from app.wiring import Keepsake
from app.work.lifecycle import everybody


async def users_of(keepsake: Keepsake, *, all_users: bool) -> list[str]:
    """The user of the settings, or everybody. Raises SchemaOutdated where the login may not act
    as the worker, who alone knows who there is."""
    return await everybody(keepsake) if all_users else [keepsake.settings.keepsake_user]
