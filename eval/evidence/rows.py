"""Rows of a JSON-lines file, each checked against a model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from eval.errors import DatasetUnreadable
from eval.reading import first_fault

Row = TypeVar("Row", bound="Line")


class Line(BaseModel):
    """A row of a third party's set; columns that are not used here may be there as well."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    conversation: str


def read_rows(path: Path, model: type[Row]) -> list[Row]:
    """All rows, blank lines left out. Raises DatasetUnreadable, naming the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise DatasetUnreadable(path=path, reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise DatasetUnreadable(path=path, reason="it is not UTF-8") from error
    return [
        _read(path, number, line, model) for number, line in enumerate(lines, 1) if line.strip()
    ]


def _read(path: Path, number: int, line: str, model: type[Row]) -> Row:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        reason = f"line {number}: {first_fault(error)}"
        raise DatasetUnreadable(path=path, reason=reason) from None


def of_conversation(rows: Iterable[Row], conversation: str) -> list[Row]:
    return [row for row in rows if row.conversation == conversation]


def conversations(rows: Iterable[Line]) -> list[str]:
    """The names of the conversations in the order of their first row."""
    return list(dict.fromkeys(row.conversation for row in rows))
