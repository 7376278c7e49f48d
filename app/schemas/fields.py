"""The bounds of what a request may carry, so that whatever no store takes is refused at once, and
what is not usable about a field in words.

PostgreSQL refuses NUL, and half a surrogate pair is no text at all; both can stand in JSON. Numbers
are refused where a moment or a yes is asked for: as seconds or as a truth they would be guesses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, StrictBool
from pydantic.config import JsonDict
from pydantic.json_schema import WithJsonSchema

from memory.store.memories import MAX_LISTED
from memory.types import (
    EARLIEST_TIME,
    LATEST_TIME,
    MAX_MEMORY_CHARS,
    MAX_MESSAGE_CHARS,
    PrintableName,
)

MAX_TAGS = 32
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _check_plain(text: str) -> str:
    if _UNSTORABLE.search(text):
        raise ValueError("has a NUL character or half a surrogate pair in it")
    return text


def _parse_time(value: object) -> object:
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
    if not EARLIEST_TIME <= at < LATEST_TIME:
        raise ValueError("must lie between the years 1000 and 3000")
    return at.astimezone(UTC)


PlainText = AfterValidator(_check_plain)
MemoryText = Annotated[str, PlainText, Field(min_length=1, max_length=MAX_MEMORY_CHARS)]
QuestionText = Annotated[str, PlainText, Field(min_length=1, max_length=MAX_MESSAGE_CHARS)]
SearchText = Annotated[str, PlainText, Field(min_length=1, max_length=500)]
# Said for readers of the description; what is printable is looked at by `Name`.
_PRINTABLE: JsonDict = {"pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad]+$"}
SpaceName = Annotated[
    str,
    PrintableName,
    Field(min_length=1, max_length=255, examples=["default"], json_schema_extra=_PRINTABLE),
]
SpaceFilter = Annotated[
    SpaceName | None, Field(description="A project or a part of life; yours unless it is named.")
]
BankName = Annotated[
    str,
    PrintableName,
    Field(min_length=1, max_length=50, examples=["Work"], json_schema_extra=_PRINTABLE),
]
TagName = Annotated[
    str,
    PrintableName,
    Field(min_length=1, max_length=100, examples=["boat"], json_schema_extra=_PRINTABLE),
]
TagNames = Annotated[list[TagName], Field(max_length=MAX_TAGS)]
Importance = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
Timestamp = Annotated[
    AwareDatetime,
    BeforeValidator(_parse_time),
    AfterValidator(_in_bounds),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
Flag = StrictBool
PageSize = Annotated[int, Field(ge=1, le=MAX_LISTED, description="The most of a page.")]


# A body of another type is handed on as text, and then is no object to whoever reads fields of it.
_NO_OBJECT = {"model_attributes_type", "model_type", "dict_type"}
_NOT_JSON = "Send a JSON object, and say so: Content-Type: application/json"


def invalid_fields(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Where each error of pydantic is, and why it is one; never what was sent, which may be
    private."""
    return [{"where": _where(each), "why": _why(each)} for each in errors]


def invalid_fields_text(errors: Sequence[Mapping[str, Any]]) -> str:
    """All of them in one."""
    said = "; ".join(f"{each['where']}: {each['why']}" for each in invalid_fields(errors))
    return f"Not usable: {said}."


def _where(error: Mapping[str, Any]) -> str:
    place = error["loc"]
    if error["type"] == "json_invalid":  # a place in the text, which is no field
        place = place[:1]
    return ".".join(map(str, place))


def _why(error: Mapping[str, Any]) -> str:
    kind, told = error["type"], error.get("ctx", {})
    if kind == "json_invalid":
        return f"This is no JSON ({told['error']}, character {error['loc'][-1]})"
    if kind in _NO_OBJECT and tuple(error["loc"]) == ("body",):
        return _NOT_JSON
    if kind == "value_error":
        return str(told["error"])
    if isinstance(error.get("input"), str) and kind == "too_long":
        return f"String should have at most {told['max_length']} characters"
    if isinstance(error.get("input"), str) and kind == "too_short":
        return "String should not be empty"
    return str(error["msg"])
