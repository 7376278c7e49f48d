"""One memory as a seed file gives it."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from app.seeding.entries import Entry
from memory.errors import MessageRefused
from memory.models import DEFAULT_BANK, MAX_ITEM_CHARS, Frozen, ItemType, NewItem, Share
from memory.secrets import find_secrets
from memory.write.normalise import clean_message

MAX_NAME_CHARS = 50
MAX_TAGS = 50


def _readable(content: str) -> str:
    try:
        return clean_message(content)
    except MessageRefused as error:
        raise ValueError(str(error.fields["reason"])) from None


def _printable(name: str) -> str:
    if not name.isprintable() or not name.strip():
        raise ValueError("must be a word or a few, without control characters")
    return name.strip()


def _read_time(given: object) -> object:
    """Only text is a time: a number could be seconds or anything. A day alone is its beginning."""
    if given is None:
        return None
    with suppress(ValueError):
        if isinstance(given, str):
            return datetime.fromisoformat(given)
    raise ValueError("must be a day or a time, such as 2025-03-01 or 2025-03-01T10:00:00Z")


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError("must lie between the years 1 and 9999") from None


Name = Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(_printable)]
Moment = Annotated[datetime, BeforeValidator(_read_time), AfterValidator(_in_utc)]


class SeedMemory(Frozen):
    """What may be said of a memory from outside. A time without an offset is UTC."""

    content: Annotated[str, Field(max_length=MAX_ITEM_CHARS), AfterValidator(_readable)]
    type: ItemType = "fact"
    bank: Name = DEFAULT_BANK
    tags: Annotated[tuple[Name, ...], Field(max_length=MAX_TAGS)] = ()
    importance: Share = 0.5
    created_at: Moment | None = None
    occurred_at: Moment | None = None
    expires_at: Moment | None = None

    def as_item(self) -> NewItem:
        return NewItem(**self.model_dump(), manually_saved=True)


def check_entry(entry: Entry) -> SeedMemory | list[str]:
    """The memory, or a line for each thing that is wrong with it, a secret among them. Nothing is
    converted: "0.9" is not a number and 1 is not a time."""
    if entry.fault is not None:
        return [f"{_place(entry)}: {entry.fault}"]
    if not isinstance(entry.value, dict):
        return [f"{_place(entry)}: an object with “content” is wanted"]
    try:
        memory = SeedMemory.model_validate_json(_as_json(entry.value), strict=True)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        return [f"{_place(entry)}: {_sentence(fault)}" for fault in faults]
    kinds = _secrets_in(memory)
    return [f"{_place(entry)}: it holds a secret ({kind})" for kind in kinds] or memory


def _secrets_in(memory: SeedMemory) -> list[str]:
    """The kinds of the secrets in its words, its bank and its tags, each once."""
    texts = (memory.content, memory.bank, *memory.tags)
    return list(dict.fromkeys(found.kind for text in texts for found in find_secrets(text)))


def _place(entry: Entry) -> str:
    return f"line {entry.line}, entry {entry.number}"


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def _sentence(fault: ErrorDetails) -> str:
    name = ".".join(str(part) for part in fault["loc"])
    match fault["type"]:
        case "extra_forbidden":
            return f"{name!r} is not known; a memory has {', '.join(SeedMemory.model_fields)}"
        case "missing":
            return f"{name} is missing"
        case "literal_error":
            return f"{name} must be one of {fault['ctx']['expected']}"
        case "json_invalid":
            return "a part of it cannot be read as text or a number"
    message = fault["msg"].removeprefix("Value error, ").replace("Input should", "must")
    return f"{name} {message}" if message.startswith("must") else f"{name}: {message}"
