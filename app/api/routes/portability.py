"""Taking everything along, and bringing memories in."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, BinaryIO, Self

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.api.auth.caller import Caller
from app.api.auth.sessions import refuse_followed_link
from app.api.dependencies import (
    ApiServices,
    AuditContext,
    AuthenticatedRoute,
    CurrentUser,
    Services,
)
from app.api.idempotency import Idempotent, IdempotentRequest
from app.api.limits import SpooledBody, spool_body
from app.api.openapi import BODY_ERRORS, problem_responses
from app.schemas.fields import PlainText, SpaceFilter, SpaceName
from memory.actions.import_formats import MAX_IMPORT_CHARS, KeepsakeExport
from memory.actions.portability import IMPORT_REFUSALS
from memory.actions.portability import ImportResult as FoundInFile
from memory.types import Origin

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)
EXPORT_TYPE = "application/json"
_EXPORT_SAID = "Everything that is kept of you, as a file to be saved."


async def _received(
    request: Request, _asking: CurrentUser, parts: Services
) -> AsyncIterator[SpooledBody]:
    """The body, on disk for as long as the request takes. Raises NoRoom."""
    try:
        spooled = await spool_body(request.stream(), _folder(parts))
    except ClientDisconnect:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None
    request.state.spooled = spooled
    with spooled.file:
        yield spooled


ReceivedFile = Annotated[SpooledBody, Depends(_received)]


class ImportRequest(BaseModel):
    """A file's text: an export of Keepsake, another program's JSON, or plain lines as other
    assistants write them."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "- I own a red kayak"}]}
    )

    text: Annotated[str, PlainText, Field(min_length=1, max_length=MAX_IMPORT_CHARS)]
    space: Annotated[
        SpaceName | None, Field(description="For a file that names none, as an export does.")
    ] = None


class ImportReport(BaseModel):
    """How many memories were new, were known already, or were refused and why, of how many a field
    of the file was not understood, and how many there are now above the caps of their spaces;
    `said` says the same for people."""

    kept: int
    repeated: int
    refused: dict[str, int]
    dropped: dict[str, int]
    above_cap: int
    said: str

    @classmethod
    def of(cls, imported: FoundInFile) -> Self:
        return cls(
            kept=imported.kept,
            repeated=imported.repeated,
            refused=dict(imported.refused),
            dropped=dict(imported.dropped),
            above_cap=imported.above_cap,
            said=imported.as_text(),
        )


@router.get(
    "/export",
    response_class=Response,
    responses=problem_responses(507)
    | {
        200: {"description": _EXPORT_SAID, "content": {EXPORT_TYPE: {"schema": {"type": "object"}}}}
    },
    operation_id="export_memory",
)
async def export_memory(
    request: Request, asking: CurrentUser, parts: Services, origin: AuditContext
) -> Response:
    """Export everything that is kept of you: memories, conversations, settings and the log.

    The answer is a file to be saved, and no cache may keep it.
    """
    if asking.by_cookie:
        refuse_followed_link(request)
    async with aclosing(parts.memory.portability.export(asking.user_id, origin)) as said:
        spooled = await spool_body((piece.encode() async for piece in said), _folder(parts))
    name = f"keepsake-{datetime.now(UTC):%Y-%m-%d}.json"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(spooled.size),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(spooled.pieces(), media_type=EXPORT_TYPE, headers=headers)


@router.post(
    "/import", responses=problem_responses(409, *BODY_ERRORS), operation_id="import_memory"
)
async def import_memory(
    file: ImportRequest,
    *,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
) -> ImportReport:
    """Import memories from a file's text, of at most 20 MB.

    An export of Keepsake comes back as it was: memories with their times, pins and counts, what was
    replaced or trimmed, questions that are open, and settings of spaces that have none. Memories of
    others are kept one by one, as if you had asked for each, with the dates and tags that their
    JSON has; `dropped` counts the fields of it that were not understood. Secrets, duplicates and
    what was forgotten within a day stay out, and the answer counts them. The same file twice
    changes nothing.
    """
    said = io.BytesIO(file.text.encode())
    return await _import_file(
        said, file.space, asking=asking, parts=parts, origin=origin, once=once
    )


@router.post(
    "/import/file",
    responses=problem_responses(409, 507, *BODY_ERRORS),
    operation_id="import_memory_file",
    openapi_extra={
        "requestBody": {
            "description": "The file as it is, whatever its type is called.",
            "required": True,
            "content": {
                "application/octet-stream": {
                    "schema": {"type": "string", "format": "binary"},
                    "example": "- I own a red kayak",
                }
            },
        }
    },
)
async def import_memory_file(
    file: ReceivedFile,
    *,
    space: SpaceFilter = None,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
) -> ImportReport:
    """Import a file by itself, such as an export of any size, as `POST /v1/memory/import` does.

    The answer comes when all of it is in; a hundred thousand memories take a few minutes. Where
    it breaks off, what came in stays, and the same file brings the rest.
    """
    return await _import_file(
        file.file, space, asking=asking, parts=parts, origin=origin, once=once
    )


async def _import_file(
    file: BinaryIO,
    space: str | None,
    *,
    asking: Caller,
    parts: ApiServices,
    origin: Origin,
    once: IdempotentRequest,
) -> ImportReport:
    portability = parts.memory.portability
    named = space or parts.settings.keepsake_space
    found = await asyncio.to_thread(portability.read_import, file, named)
    if once.done is not None:
        dropped = {} if isinstance(found, KeepsakeExport) else found.dropped
        return ImportReport.of(replace(_from_counts(once.done.counts), dropped=dropped))
    by = Origin("import", origin.correlation_id)
    imported = await portability.import_(asking.user_id, found, by)
    await once.finish(200, counts=_counts_of(imported))
    return ImportReport.of(imported)


def _folder(parts: ApiServices) -> Path:
    return parts.settings.keepsake_home


def _counts_of(imported: FoundInFile) -> dict[str, int]:
    refused = {name.lower(): count for name, count in imported.refused.items()}
    told = {"above_cap": imported.above_cap, "own": int(imported.own)}
    return {"kept": imported.kept, "repeated": imported.repeated} | told | refused


def _from_counts(counts: Mapping[str, int]) -> FoundInFile:
    """The import that had these counts."""
    refused = {name: counts[name.lower()] for name in IMPORT_REFUSALS if name.lower() in counts}
    above, own = counts.get("above_cap", 0), bool(counts.get("own"))
    return FoundInFile(counts["kept"], counts["repeated"], refused, above, own)
