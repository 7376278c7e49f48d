"""The bounds of what a request may carry, so that whatever no store takes is refused at the door.

PostgreSQL refuses NUL, and half a surrogate pair is no text at all; both can stand in JSON. Numbers
are refused where a moment or a yes is asked for: as seconds or as a truth they would be guesses.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, StrictBool
from pydantic.config import JsonDict
from pydantic.json_schema import WithJsonSchema

from memory.models import EARLIEST, LATEST, MAX_ITEM_CHARS, MAX_MESSAGE_CHARS, Name
from memory.store.memories.listing import MAX_LISTED

MAX_TAGS = 32
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _plain(text: str) -> str:
    if _UNSTORABLE.search(text):
        raise ValueError("has a NUL character or half a surrogate pair in it")
    return text


def _spoken(value: object) -> object:
    """A moment in words: "2024" as seconds since 1970 would be a guess."""
    if isinstance(value, str) and value[4:5] == "-":
        return _with_offset(value)
    if value is None or isinstance(value, datetime):
        return value
    raise ValueError("must be a date and time as ISO 8601 has it")


def _with_offset(said: str) -> datetime:
    """UTC where none is named."""
    at = datetime.fromisoformat(said)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _in_bounds(at: datetime) -> datetime:
    if not EARLIEST <= at < LATEST:
        raise ValueError("must lie between the years 1000 and 3000")
    return at.astimezone(UTC)


Plain = AfterValidator(_plain)
Words = Annotated[str, Plain, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
Query = Annotated[str, Plain, Field(min_length=1, max_length=MAX_MESSAGE_CHARS)]
Sought = Annotated[str, Plain, Field(min_length=1, max_length=500)]
# Said for readers of the description; what is printable is looked at by `Name`.
_PRINTABLE: JsonDict = {"pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad]+$"}
Space = Annotated[
    str,
    Name,
    Field(min_length=1, max_length=255, examples=["default"], json_schema_extra=_PRINTABLE),
]
OneSpace = Annotated[
    Space | None, Field(description="A project or a part of life; yours unless it is named.")
]
Bank = Annotated[
    str,
    Name,
    Field(min_length=1, max_length=50, examples=["Work"], json_schema_extra=_PRINTABLE),
]
Tag = Annotated[
    str,
    Name,
    Field(min_length=1, max_length=100, examples=["boat"], json_schema_extra=_PRINTABLE),
]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS)]
Importance = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
Moment = Annotated[
    AwareDatetime,
    BeforeValidator(_spoken),
    AfterValidator(_in_bounds),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
YesNo = StrictBool
PageSize = Annotated[int, Field(ge=1, le=MAX_LISTED, description="The most of a page.")]
