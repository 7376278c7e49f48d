"""Reading a data set that is one JSON file, and saying where the first fault in it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from eval.errors import DatasetUnreadable

Set = TypeVar("Set", bound=BaseModel)


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def read_set(path: Path, model: type[Set]) -> Set:
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


def repeats(names: Sequence[str]) -> list[str]:
    """Those that are there more than once, in alphabetical order."""
    return sorted(name for name, count in Counter(names).items() if count > 1)
