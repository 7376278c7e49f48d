"""What an export of Keepsake holds, as far as it is brought back: memories with what was replaced
or trimmed, doubts, and settings. Data from outside: every row is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any, BinaryIO, Literal, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from memory.controls.json_members import read_members
from memory.errors import InvalidInput
from memory.models import (
    DEFAULT_BANK,
    DEFAULT_SPACE,
    EARLIEST,
    LATEST,
    HeardAs,
    ItemType,
    MemoryMode,
    Notices,
    Role,
    Share,
)
from memory.text import storable

FORMAT = "keepsake-export"
VERSION = 1
BATCH = 500
_PARTS = {"memories", "doubts", "settings"}
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_DAMAGED = "That is an export of Keepsake, but {what} in it is damaged. Export it again."


def _in_bounds(at: datetime) -> datetime:
    """In UTC where no offset is named."""
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if not EARLIEST <= at < LATEST:
        raise ValueError("nothing can be reckoned from it")
    return at


def _said(text: str) -> str:
    if not (said := storable(text)):
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


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class ExportedMemory(_Row):
    """A memory with all that was known of it but its vector and what its words tell anew."""

    id: UUID
    content: Words
    type: ItemType = "fact"
    space: Annotated[Name, Field(max_length=255)] = DEFAULT_SPACE
    bank: Annotated[Name, Field(max_length=50)] = DEFAULT_BANK
    role: Role = "user"
    tags: tuple[Text, ...] = ()
    source_ids: tuple[Text, ...] = ()
    source_message_id: UUID | None = None
    repeat_count: Count = 0
    importance: Share = 0.5
    salience: Share = 0.0
    metadata_confidence: Share = 0.0
    pinned: bool = False
    manually_saved: bool = False
    slot: Annotated[Text, Field(max_length=100)] | None = None
    created_at: Moment
    occurred_at: Moment | None = None
    valid_to: Moment | None = None
    superseded_by: UUID | None = None
    summary_of: tuple[UUID, ...] = ()
    expires_at: Moment | None = None
    deleted_at: Moment | None = None
    removed_because: Literal["trimmed", "archived", "cleaned", "retired"] | None = None
    access_count: Count = 0
    last_accessed_at: Moment | None = None
    heard: HeardAs | None = None


class ExportedDoubt(_Row):
    id: UUID
    older_id: UUID
    newer_id: UUID
    created_at: Moment
    answer: Literal["newer", "older", "both"] | None = None
    answered_at: Moment | None = None


class ExportedSettings(_Row):
    """Of one space. That messages are stored with their secrets is not taken from a file."""

    space: Annotated[Name, Field(max_length=255)]
    memory_mode: MemoryMode = "full"
    incognito_default: bool = False
    notices: Notices = "all"


_R = TypeVar("_R", bound=_Row)


@dataclass(frozen=True)
class OwnExport:
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


def is_own_export(file: BinaryIO) -> bool:
    """Of a file with a JSON object, which is read until it says what it is. Raises InvalidInput
    where it cannot be read."""
    return any(member == ("format", FORMAT) for member in read_members(file, ()))


def read_own_export(file: BinaryIO) -> OwnExport:
    """Raises InvalidInput for a row that is damaged, and for a version that is not known."""
    ids: set[UUID] = set()
    replaced_by: dict[UUID, UUID] = {}
    version: object = None
    for name, value in read_members(file, _PARTS):
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
    if version != VERSION:
        raise InvalidInput(
            reason=f"That export is of version {str(version)[:20]}, and this program reads version "
            f"{VERSION}. Take the newest Keepsake."
        )
    return OwnExport(file, ids, replaced_by, ends_of(replaced_by))


def ends_of(next_of: Mapping[UUID, UUID]) -> dict[UUID, UUID]:
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
    for name, value in read_members(file, {part}):
        if name == part:
            yield _read(row, value, "a row")


def _read(row: type[_R], value: Any, what: str) -> _R:
    try:
        return row.model_validate(value)
    except (ValidationError, OverflowError):
        raise InvalidInput(reason=_DAMAGED.format(what=what)) from None


def _batches(rows: Iterator[_R]) -> Iterator[list[_R]]:
    while batch := list(islice(rows, BATCH)):
        yield batch
