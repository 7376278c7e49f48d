"""What a file of memories holds: an export of Keepsake, or another assistant's as plain lines or
JSON. Data from outside: every row is checked."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any, BinaryIO, Literal, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from memory.actions.json_stream import read_json_members
from memory.errors import InvalidInput
from memory.text import to_storable
from memory.types import (
    DEFAULT_BANK,
    DEFAULT_SPACE,
    EARLIEST_TIME,
    LATEST_TIME,
    MAX_MEMORY_CHARS,
    MemoryMode,
    MemoryType,
    NewMemory,
    Role,
    UnitInterval,
)

EXPORT_FORMAT = "keepsake-export"
EXPORT_VERSION = 1
EXPORT_BATCH = 500
_PARTS = {"memories", "doubts", "settings"}
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_DAMAGED = "That is an export of Keepsake, but {what} in it is damaged. Export it again."


def _in_bounds(at: datetime) -> datetime:
    """In UTC where no offset is named."""
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if not EARLIEST_TIME <= at < LATEST_TIME:
        raise ValueError("nothing can be reckoned from it")
    return at


def _said(text: str) -> str:
    if not (said := to_storable(text)):
        raise ValueError("nothing can be read in it")
    return said


def _same_name(name: str) -> str:
    if _UNSTORABLE.search(name):
        raise ValueError("another name would be another space or bank")
    return name


# As the tables take them: what an older program let in is brought back as well.
Text = Annotated[str, AfterValidator(lambda text: _UNSTORABLE.sub("", text))]
Name = Annotated[str, AfterValidator(_same_name)]
Words = Annotated[str, AfterValidator(_said)]
Moment = Annotated[datetime, AfterValidator(_in_bounds)]
Count = Annotated[int, Field(ge=0, lt=2**31)]


class _ExportRow(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class ExportedMemory(_ExportRow):
    """A memory with all that was known of it but its vector and what its words tell anew."""

    id: UUID
    content: Words
    type: MemoryType = "fact"
    space: Annotated[Name, Field(max_length=255)] = DEFAULT_SPACE
    bank: Annotated[Name, Field(max_length=50)] = DEFAULT_BANK
    role: Role = "user"
    tags: tuple[Text, ...] = ()
    source_ids: tuple[Text, ...] = ()
    source_message_id: UUID | None = None
    repeat_count: Count = 0
    importance: UnitInterval = 0.5
    salience: UnitInterval = 0.0
    metadata_confidence: UnitInterval = 0.0
    pinned: bool = False
    manually_saved: bool = False
    slot: Annotated[Text, Field(max_length=100)] | None = None
    created_at: Moment
    occurred_at: Moment | None = None
    valid_to: Moment | None = None
    superseded_by: UUID | None = None
    summary_of: tuple[UUID, ...] = ()
    rest_of: UUID | None = None
    expires_at: Moment | None = None
    deleted_at: Moment | None = None
    removed_because: Literal["trimmed", "archived", "cleaned", "retired"] | None = None
    access_count: Count = 0
    last_accessed_at: Moment | None = None


class ExportedDoubt(_ExportRow):
    id: UUID
    older_id: UUID
    newer_id: UUID
    created_at: Moment
    answer: Literal["newer", "older", "both"] | None = None
    answered_at: Moment | None = None


class ExportedSettings(_ExportRow):
    """Of one space. That messages are stored with their secrets is not taken from a file."""

    space: Annotated[Name, Field(max_length=255)]
    memory_mode: MemoryMode = "full"
    incognito_default: bool = False


_R = TypeVar("_R", bound=_ExportRow)


@dataclass(frozen=True)
class KeepsakeExport:
    """An export that was looked through from end to end: every row can be read, no id is there
    twice, and nothing replaces itself. Whoever opened the `file` closes it.

    `replaced_by` has each replaced memory with the one that took its place.
    """

    file: BinaryIO
    ids: Set[UUID]
    replaced_by: Mapping[UUID, UUID]
    last_of: Mapping[UUID, UUID]
    """Of each replaced memory the one that stands at the end of what replaced it."""

    def memories(self, *, replaced: bool) -> Iterator[list[ExportedMemory]]:
        """Those that were replaced, or all the others, in batches."""
        rows = _rows(self.file, "memories", ExportedMemory)
        return _batches(row for row in rows if (row.superseded_by is not None) == replaced)

    def doubts(self) -> Iterator[list[ExportedDoubt]]:
        return _batches(_rows(self.file, "doubts", ExportedDoubt))

    def settings(self) -> Iterator[list[ExportedSettings]]:
        return _batches(_rows(self.file, "settings", ExportedSettings))


def is_keepsake_export(file: BinaryIO) -> bool:
    """Of a file with a JSON object, which is read until it says what it is. Raises InvalidInput
    where it cannot be read."""
    return any(member == ("format", EXPORT_FORMAT) for member in read_json_members(file, ()))


def read_keepsake_export(file: BinaryIO) -> KeepsakeExport:
    """Raises InvalidInput for a row that is damaged, and for a version that is not known."""
    ids: set[UUID] = set()
    replaced_by: dict[UUID, UUID] = {}
    version: object = None
    for name, value in read_json_members(file, _PARTS):
        match name:
            case "version":
                version = value
            case "memories":
                memory = _read(ExportedMemory, value, "a memory")
                if memory.id in ids:
                    raise InvalidInput(reason=_DAMAGED.format(what="a memory"))
                ids.add(memory.id)
                if memory.superseded_by is not None:
                    replaced_by[memory.id] = memory.superseded_by
            case "doubts":
                _read(ExportedDoubt, value, "a question")
            case "settings":
                _read(ExportedSettings, value, "a setting")
    if version != EXPORT_VERSION:
        raise InvalidInput(
            reason=f"That export is of version {str(version)[:20]}, and this program reads version "
            f"{EXPORT_VERSION}. Take the newest Keepsake."
        )
    return KeepsakeExport(file, ids, replaced_by, chain_ends(replaced_by))


def chain_ends(next_of: Mapping[UUID, UUID]) -> dict[UUID, UUID]:
    """Where each chain ends that begins with a key. Raises InvalidInput for one that never does."""
    ends: dict[UUID, UUID] = {}
    for first in next_of:
        way: dict[UUID, None] = {}
        at = first
        while at in next_of and at not in ends and at not in way:
            way[at] = None
            at = next_of[at]
        if at in way:
            raise InvalidInput(reason=_DAMAGED.format(what="what replaced what"))
        ends.update(dict.fromkeys(way, ends.get(at, at)))
    return ends


def _rows(file: BinaryIO, part: str, row: type[_R]) -> Iterator[_R]:
    for name, value in read_json_members(file, {part}):
        if name == part:
            yield _read(row, value, "a row")


def _read(row: type[_R], value: Any, what: str) -> _R:
    try:
        return row.model_validate(value)
    except (ValidationError, OverflowError):
        raise InvalidInput(reason=_DAMAGED.format(what=what)) from None


def _batches(rows: Iterator[_R]) -> Iterator[list[_R]]:
    while batch := list(islice(rows, EXPORT_BATCH)):
        yield batch


# Of a file that is no export of Keepsake.
MAX_IMPORT_CHARS = 20_000_000
MAX_IMPORT_LINES = 10_000
MAX_INDENT = 1000
_MOST_BYTES_OF_A_CHAR = 4
_TEXT_FIELDS = ("content", "text", "memory")

# “- ”, “* ”, “3. ”, “[2024-05-01] - ”, “2024-05-01: ”, in this order and several of them.
_BULLET = re.compile(r"^\s*(?:[-*•‣–—]\s+|\d{1,4}[.)]\s+|\[[ xX]\]\s+|>\s+)")
_DATE = re.compile(
    r"^\s*(?:\[\s*(?P<boxed>\d{4}-\d\d-\d\d|unknown|n/?a)(?:[T ][\d:.Z+-]*)?\s*\]"
    r"|(?P<bare>\d{4}-\d\d-\d\d))\s*(?:[-–—:|]\s*)?",
    re.IGNORECASE,
)
_NO_MEMORY = re.compile(r"^(?:#{1,6}\s.*|```.*|[-=*_]{3,}|\*\*[^*]+\*\*:?|[^.!?]{1,60}:)$")
_QUOTED = re.compile(r'^"(?P<said>.+)",?$|^“(?P<quoted>.+)”$')


def read_import(file: BinaryIO, space: str = DEFAULT_SPACE) -> KeepsakeExport | list[NewMemory]:
    """What a file brings: an export of Keepsake, however large, to be read again as it is brought
    in; or the memories, in their order, of JSON with a list of texts, or of plain lines as ChatGPT
    and Claude write them, without their bullets, numbers and dates; headings are left out.

    Raises InvalidInput for anything else.
    """
    if _begins_an_object(file) and is_keepsake_export(file):
        return read_keepsake_export(file)
    stripped = _text(file).strip()
    if not stripped:
        raise InvalidInput(reason="There is nothing in that file.")
    data = _json(stripped)
    items = _lines(stripped, space) if data is None else _from_json(data, space)
    if not items:
        raise InvalidInput(reason="There are no memories in that file.")
    return items


def _begins_an_object(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(MAX_INDENT).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")


def _text(file: BinaryIO) -> str:
    file.seek(0)
    raw = file.read(MAX_IMPORT_CHARS * _MOST_BYTES_OF_A_CHAR)
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(raw, final=not file.read(1))
    except UnicodeDecodeError:
        raise InvalidInput(reason="That file is not UTF-8 text.") from None
    if len(text) > MAX_IMPORT_CHARS:
        raise InvalidInput(
            reason=f"A file to import can be {MAX_IMPORT_CHARS:,} characters long at most, "
            "where it is no export of Keepsake."
        )
    return text


def parse_memory_line(line: str) -> tuple[str, datetime | None]:
    """A line without what only lists it, and the day that stood before it."""
    learned = None
    while match := _BULLET.match(line) or _DATE.match(line):
        named = match.groupdict()
        learned = learned or _day(named.get("boxed") or named.get("bare"))
        line = line[match.end() :]
    quoted = _QUOTED.match(line.strip())
    said = line.strip() if quoted is None else quoted["said"] or quoted["quoted"]
    return to_storable(said), learned


def _json(text: str) -> Any:
    """What the text is as JSON; None where it is no JSON object or list."""
    if text[0] not in "{[":
        return None
    try:
        return json.loads(text)
    except ValueError:
        if text[0] == "[" and _DATE.match(text):
            return None
        raise InvalidInput(
            reason="That file begins like JSON, but it cannot be read as JSON. Export it again."
        ) from None
    except RecursionError:
        raise InvalidInput(reason="That file is nested too deeply to be read.") from None


def _from_json(data: Any, space: str) -> list[NewMemory]:
    found = data.get("memories") if isinstance(data, dict) else data
    texts = [_text_of(each) for each in found] if isinstance(found, list) else [None]
    if any(text is None for text in texts):
        raise InvalidInput(
            reason="That file is not an export of Keepsake, nor a list of memories. From another "
            "assistant, copy its memories into a text file, one on each line."
        )
    return [_item(text, None, space) for text in texts if text]


def _usable(at: datetime) -> bool:
    return EARLIEST_TIME <= at < LATEST_TIME


def _lines(text: str, space: str) -> list[NewMemory]:
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line and not _NO_MEMORY.match(line)]
    if len(kept) > MAX_IMPORT_LINES:
        raise InvalidInput(
            reason=f"A file to import can have {MAX_IMPORT_LINES:,} memories at most."
        )
    if any(len(line) > MAX_MEMORY_CHARS or "\x00" in line for line in kept):
        raise InvalidInput(
            reason="That file is no list of memories: it has binary data or a line of more than "
            f"{MAX_MEMORY_CHARS:,} characters. Put one memory on each line."
        )
    read = [parse_memory_line(line) for line in kept]
    return [_item(said, learned, space) for said, learned in read if any(map(str.isalnum, said))]


def _item(said: str, learned: datetime | None, space: str) -> NewMemory:
    if len(said) > MAX_MEMORY_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_MEMORY_CHARS:,} characters long at most.")
    item = NewMemory(content=said, space=space, manually_saved=True)
    if learned is None:  # "last Friday" is whichever it was then
        return item.model_copy(update={"occurred_at": None})
    return item.model_copy(update={"created_at": learned})


def _text_of(entry: Any) -> str | None:
    if isinstance(entry, dict):
        entry = next((entry[name] for name in _TEXT_FIELDS if name in entry), None)
    return to_storable(entry) if isinstance(entry, str) else None


def _day(named: str | None) -> datetime | None:
    try:
        at = datetime.fromisoformat(named or "").replace(tzinfo=UTC)
    except ValueError:
        return None
    return at if _usable(at) else None
