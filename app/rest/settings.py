"""What a user sets for a space: whether memory is on, how conversations begin, what is told."""

from __future__ import annotations

from typing import Annotated, Self

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts, Written
from app.rest.fields import Space, YesNo
from app.rest.identified import IdentifiedRoute
from app.rest.scope import InSpace
from memory.models import MemoryMode, Notices
from memory.store.modes import SpaceSettings

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)


class MemorySettings(BaseModel):
    """`full` reads and writes memory, `read_only` recalls alone, `off` does neither; memory is
    enabled where it is not off. `incognito_default` begins every conversation incognito;
    `redact_messages` keeps secrets out of stored messages. Beside replies `notices` tell all that
    is noted, only what was replaced or left out (`changes`), or nothing; what has to be asked is
    asked."""

    space: str
    memory_enabled: bool
    memory_mode: MemoryMode
    incognito_default: bool
    redact_messages: bool
    notices: Notices

    @classmethod
    def of(cls, space: str, known: SpaceSettings) -> Self:
        return cls(space=space, memory_enabled=known.memory_mode != "off", **dict(known))


class NewSettings(BaseModel):
    """What is to change; the rest stays. `memory_enabled` is `memory_mode` in short: true is
    `full`, false is `off`."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"memory_enabled": False}]}
    )

    space: Space | None = None
    memory_enabled: YesNo | None = None
    memory_mode: Annotated[MemoryMode | None, Field(description="Not with memory_enabled.")] = None
    incognito_default: YesNo | None = None
    redact_messages: YesNo | None = None
    notices: Notices | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.memory_enabled is not None and self.memory_mode is not None:
            raise ValueError("name memory_enabled or memory_mode, not both")
        return self

    @property
    def mode(self) -> MemoryMode | None:
        if self.memory_enabled is None:
            return self.memory_mode
        return "full" if self.memory_enabled else "off"


@router.get("/settings", responses=problems(), operation_id="read_settings")
async def read_settings(space: InSpace, asking: Asking, parts: Parts) -> MemorySettings:
    """Read what is set for a space."""
    return MemorySettings.of(space, await parts.memory.modes.read(asking.user_id, space))


@router.post("/settings", responses=problems(*WITH_BODY), operation_id="change_settings")
async def change_settings(
    new: NewSettings, asking: Asking, parts: Parts, origin: Written
) -> MemorySettings:
    """Switch memory on or off in a space, say how conversations begin there, and how much is told.

    What is remembered stays, and can still be looked at and forgotten, whatever is set.
    """
    space = new.space or parts.settings.keepsake_space
    known = await parts.memory.modes.change(
        asking.user_id,
        space,
        origin,
        memory_mode=new.mode,
        incognito_default=new.incognito_default,
        redact_messages=new.redact_messages,
        notices=new.notices,
    )
    return MemorySettings.of(space, known)
