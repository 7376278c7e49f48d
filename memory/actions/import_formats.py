"""What a file of memories holds: an export of Keepsake, or another assistant's as plain lines or
JSON. Data from outside: every row is checked."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Annotated, Any, BinaryIO, Literal, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from memory.actions.import_rows import ForeignMemories, imported_memory, read_rows
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

# “- ”, “* ”, “3. ”, “[2024-05-01] - ”, “2024-05-01: ”, in this order and several of them.
_BULLET = re.compile(r"^\s*(?:[-*•‣–—]\s+|\d{1,4}[.)]\s+|\[[ xX]\]\s+|>\s+)")
_DATE = re.compile(
    r"^\s*(?:\[\s*(?P<boxed>\d{4}-\d\d-\d\d|unknown|n/?a)(?:[T ][\d:.Z+-]*)?\s*\]"
    r"|(?P<bare>\d{4}-\d\d-\d\d))\s*(?:[-–—:|]\s*)?",
    re.IGNORECASE,
)
_NO_MEMORY = re.compile(r"^(?:#{1,6}\s.*|```.*|[-=*_]{3,}|\*\*[^*]+\*\*:?|[^.!?]{1,60}:)$")
_MOST_HEADING_CHARS, _MOST_HEADING_WORDS = 60, 4
_SENTENCE_ENDS = (".", "!", "?")
_QUOTED = re.compile(r'^"(?P<said>.+)",?$|^“(?P<quoted>.+)”$')


def read_import(
    file: BinaryIO, space: str = DEFAULT_SPACE, now: datetime | None = None
) -> KeepsakeExport | ForeignMemories:
    """What a file brings: an export of Keepsake, however large, to be read again as it is brought
    in; or the memories, in their order, of JSON with a list of texts (`read_rows`), or of plain
    lines as ChatGPT and Claude write them, without their bullets, numbers and dates; headings are
    left out.

    Raises InvalidInput for anything else.
    """
    if _begins_an_object(file) and is_keepsake_export(file):
        return read_keepsake_export(file)
    stripped = _text(file).strip()
    if not stripped:
        raise InvalidInput(reason="There is nothing in that file.")
    data = _json(stripped)
    now = now or datetime.now(UTC)
    found = _lines(stripped, space, now) if data is None else _from_json(data, space, now)
    if not found.items and not found.left_out:
        raise InvalidInput(reason="There are no memories in that file.")
    return found


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


def _split_line(line: str) -> tuple[str, str]:
    """A line without what only lists it, and the date before it as it is written."""
    date = ""
    while match := _BULLET.match(line) or _DATE.match(line):
        named = match.groupdict()
        date = date or named.get("boxed") or named.get("bare") or ""
        line = line[match.end() :]
    quoted = _QUOTED.match(line.strip())
    said = line.strip() if quoted is None else quoted["said"] or quoted["quoted"]
    return to_storable(said), date


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


def _from_json(data: Any, space: str, now: datetime) -> ForeignMemories:
    found = read_rows(data, space, now)
    if found is None:
        raise InvalidInput(
            reason="That file is not an export of Keepsake, nor a list of memories. From another "
            "assistant, copy its memories into a text file, one on each line."
        )
    _refuse_too_many(found.items)
    return found


def _refuse_too_many(memories: Sequence[object]) -> None:
    if len(memories) > MAX_IMPORT_LINES:
        raise InvalidInput(
            reason=f"A file to import can have {MAX_IMPORT_LINES:,} memories at most."
        )


def _lines(text: str, space: str, now: datetime) -> ForeignMemories:
    lines = [line.strip() for line in text.splitlines()]
    headings = _unmarked_headings(lines)
    kept = [
        line
        for at, line in enumerate(lines)
        if line and at not in headings and not _NO_MEMORY.match(line)
    ]
    _refuse_too_many(kept)
    if any(len(line) > MAX_MEMORY_CHARS or "\x00" in line for line in kept):
        raise InvalidInput(
            reason="That file is no list of memories: it has binary data or a line of more than "
            f"{MAX_MEMORY_CHARS:,} characters. Put one memory on each line."
        )
    split = [each for each in map(_split_line, kept) if any(map(str.isalnum, each[0]))]
    read = [(said, date, _day(date, now)) for said, date in split]
    undated = sum(date[:1].isdigit() and learned is None for _, date, learned in read)
    return ForeignMemories(
        [imported_memory(said, space, learned) for said, _, learned in read],
        {"Heading": len(headings)} if headings else {},
        {"date": undated} if undated else {},
    )


def _unmarked_headings(lines: Sequence[str]) -> set[int]:
    """Where a line begins a block of lines, and only names what they are: it ends like no sentence
    and has no bullet, number or date, and those after it have one or end like sentences."""
    filled = groupby(enumerate(lines), key=lambda numbered: bool(numbered[1]))
    blocks = [[*block] for is_filled, block in filled if is_filled]
    return {
        block[0][0]
        for block, after in zip(blocks, [*blocks[1:], []], strict=False)
        if _heads(block[0][1], [line for _, line in block[1:] or after])
    }


def _heads(line: str, below: Sequence[str]) -> bool:
    if not below or not _may_be_heading(line):
        return False
    if _is_marked(below[0]):
        return True
    names = len(below) > 1 and len(line.split()) <= _MOST_HEADING_WORDS
    return names and all(each.endswith(_SENTENCE_ENDS) for each in below)


def _may_be_heading(line: str) -> bool:
    """Where its own signs do not tell."""
    if len(line) > _MOST_HEADING_CHARS or line.endswith(_SENTENCE_ENDS):
        return False
    return not _is_marked(line) and not _NO_MEMORY.match(line)


def _is_marked(line: str) -> bool:
    return bool(_BULLET.match(line) or _DATE.match(line))


def _day(named: str, latest: datetime) -> datetime | None:
    try:
        at = datetime.fromisoformat(named).replace(tzinfo=UTC)
    except ValueError:
        return None
    return at if EARLIEST_TIME <= at <= latest else None
