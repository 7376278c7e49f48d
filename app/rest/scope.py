"""The space that a request is about: the one it names, else the settings'."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from app.rest.depends import Parts
from app.rest.fields import OneSpace


async def _space(
    parts: Parts,
    space: Annotated[OneSpace, Query()] = None,
) -> str:
    return space or parts.settings.keepsake_space


InSpace = Annotated[str, Depends(_space)]
