"""Taking everything along, and bringing memories in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.identity.cross_site import refuse_followed_link
from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts, Written
from app.rest.fields import Plain, Space
from app.rest.identified import IdentifiedRoute
from app.server.idempotency import Once
from memory.controls.imports import MAX_CHARS
from memory.controls.portability import REFUSED
from memory.controls.portability import Imported as FoundInFile
from memory.models import Origin

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)
EXPORT_TYPE = "application/json"
_EXPORT_SAID = "Everything that is kept of you, as a file to be saved."


class File(BaseModel):
    """A file's text: an export of Keepsake, JSON with a list of texts, or plain lines as other
    assistants write them."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "- I own a red kayak"}]}
    )

    text: Annotated[str, Plain, Field(min_length=1, max_length=MAX_CHARS)]
    space: Annotated[
        Space | None, Field(description="For a file that names none, as an export does.")
    ] = None


class Imported(BaseModel):
    """How many memories were new, were known already, or were refused and why; `said` says the
    same for people."""

    kept: int
    repeated: int
    refused: dict[str, int]
    said: str

    @classmethod
    def of(cls, imported: FoundInFile) -> Self:
        return cls(
            kept=imported.kept,
            repeated=imported.repeated,
            refused=dict(imported.refused),
            said=imported.as_text(),
        )


@router.get(
    "/export",
    response_class=Response,
    responses=problems()
    | {
        200: {"description": _EXPORT_SAID, "content": {EXPORT_TYPE: {"schema": {"type": "object"}}}}
    },
    operation_id="export_memory",
)
async def export_memory(
    request: Request, asking: Asking, parts: Parts, origin: Written
) -> Response:
    """Export everything that is kept of you: memories, conversations, settings and the log.

    The answer is a file to be saved, and no cache may keep it.
    """
    if asking.by_cookie:
        refuse_followed_link(request)
    exported = await parts.memory.portability.export(asking.user_id, origin)
    body = await asyncio.to_thread(_as_json, exported)
    name = f"keepsake-{datetime.now(UTC):%Y-%m-%d}.json"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return Response(body, media_type=EXPORT_TYPE, headers=headers)


@router.post("/import", responses=problems(409, *WITH_BODY), operation_id="import_memory")
async def import_memory(
    file: File, *, asking: Asking, parts: Parts, origin: Written, once: Once
) -> Imported:
    """Import memories from a file's text.

    They are kept one by one, as if you had asked for each: secrets, duplicates and what was
    forgotten within a day stay out, and the answer counts them. The same file twice changes
    nothing.
    """
    if once.done is not None:
        return Imported.of(_counted(once.done.counts))
    space = file.space or parts.settings.keepsake_space
    portability = parts.memory.portability
    items = await asyncio.to_thread(portability.read_import, file.text, space)
    by = Origin("import", origin.correlation_id)
    imported = await portability.import_(asking.user_id, items, by)
    await once.finish(200, counts=_counts_of(imported))
    return Imported.of(imported)


def _counts_of(imported: FoundInFile) -> dict[str, int]:
    refused = {name.lower(): count for name, count in imported.refused.items()}
    return {"kept": imported.kept, "repeated": imported.repeated} | refused


def _counted(counts: Mapping[str, int]) -> FoundInFile:
    """The import that had these counts."""
    refused = {name: counts[name.lower()] for name in REFUSED if name.lower() in counts}
    return FoundInFile(counts["kept"], counts["repeated"], refused)


def _as_json(exported: Mapping[str, Any]) -> bytes:
    return json.dumps(exported, ensure_ascii=False, indent=1).encode()
