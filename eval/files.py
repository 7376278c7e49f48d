"""Reading the files of data sets, where the first fault in one lies, and writing folders and
files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from eval.errors import DatasetUnreadable, ReportNotWritten

FileModel = TypeVar("FileModel", bound=BaseModel)


class StrictModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def read_json_file(path: Path, model: type[FileModel]) -> FileModel:
    """A set that is one JSON file. Raises DatasetUnreadable with the first fault."""
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetUnreadable(path=path, reason=error.strerror or str(error)) from error
    except ValidationError as error:
        raise DatasetUnreadable(path=path, reason=first_fault(error)) from None


def first_fault(error: ValidationError) -> str:
    """Where the first fault lies and what it is, in one line; how many more there are."""
    faults = error.errors(include_input=False, include_url=False)
    where = ".".join(str(part) for part in faults[0]["loc"])
    what = faults[0]["msg"].removeprefix("Value error, ")
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{where}: {what}{more}" if where else f"{what}{more}"


def duplicates(names: Sequence[str]) -> list[str]:
    """Those that are there more than once, in alphabetical order."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


Row = TypeVar("Row", bound="ConversationRow")


class ConversationRow(BaseModel):
    """A row of a third party's set; columns that are not used here may be there as well."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    conversation: str


def read_json_lines(path: Path, model: type[Row]) -> list[Row]:
    """All rows, blank lines left out. Raises DatasetUnreadable, naming the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise DatasetUnreadable(path=path, reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise DatasetUnreadable(path=path, reason="it is not UTF-8") from error
    return [
        _read_row(path, number, line, model) for number, line in enumerate(lines, 1) if line.strip()
    ]


def _read_row(path: Path, number: int, line: str, model: type[Row]) -> Row:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        reason = f"line {number}: {first_fault(error)}"
        raise DatasetUnreadable(path=path, reason=reason) from None


def rows_of_conversation(rows: Iterable[Row], conversation: str) -> list[Row]:
    return [row for row in rows if row.conversation == conversation]


def conversation_names(rows: Iterable[ConversationRow]) -> list[str]:
    """The names of the conversations in the order of their first row."""
    return list(dict.fromkeys(row.conversation for row in rows))


def make_folder(folder: Path) -> None:
    """Raises ReportNotWritten."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportNotWritten(path=folder, reason=error.strerror or str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Raises ReportNotWritten."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ReportNotWritten(path=path, reason=error.strerror or str(error)) from error
