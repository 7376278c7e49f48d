"""Exports as files, and what comes of them."""

from __future__ import annotations

import io
import json
from contextlib import aclosing
from datetime import datetime
from typing import Any
from uuid import uuid4

from memory.actions.import_formats import EXPORT_FORMAT, EXPORT_VERSION
from memory.actions.portability import ImportResult, Portability
from memory.types import Origin

IMPORT = Origin("import")


def file_of(said: str | bytes | object) -> io.BytesIO:
    """Of a text, or of anything else as JSON."""
    text = said if isinstance(said, str | bytes) else json.dumps(said)
    return io.BytesIO(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


def export_of(*memories: object, **parts: object) -> dict[str, Any]:
    return {"format": EXPORT_FORMAT, "version": EXPORT_VERSION, "memories": [*memories]} | parts


def a_memory(content: str = "User likes tea", **fields: object) -> dict[str, Any]:
    made = {"id": str(uuid4()), "content": content, "created_at": "2026-05-04T12:00:00+00:00"}
    return made | fields


async def text_of(
    portability: Portability, user_id: str, origin: Origin = IMPORT, now: datetime | None = None
) -> str:
    async with aclosing(portability.export(user_id, origin, now)) as pieces:
        return "".join([piece async for piece in pieces])


async def exported(portability: Portability, user_id: str) -> dict[str, Any]:
    """What an export of the user holds."""
    read: dict[str, Any] = json.loads(await text_of(portability, user_id))
    return read


async def brought(
    portability: Portability, user_id: str, said: str | bytes | object
) -> ImportResult:
    """What came of importing a file."""
    found = portability.read_import(file_of(said))
    return await portability.import_(user_id, found, IMPORT)
