"""`python -m app seed FILE`: all memories of a file, or none."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails
from rich.console import Console
from rich.progress import track

from app.bootstrap import open_keepsake
from app.console import Progress
from app.runner import Shutdown
from memory.config import Settings
from memory.errors import InvalidInput, MessageRefused
from memory.ingestion.normalisation import clean_message
from memory.secrets import find_secrets
from memory.types import (
    DEFAULT_BANK,
    MAX_MEMORY_CHARS,
    FrozenModel,
    MemoryType,
    NewMemory,
    UnitInterval,
)

LIST_KEY = "memories"
_SPACES = " \t\r\n"
_SPACE = re.compile(f"[{_SPACES}]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class SeedEntry:
    """`number` and `line` count from one. `fault` says why it could not be read at all."""

    number: int
    line: int
    value: Any = None
    fault: str | None = None


def read_entries(text: str) -> list[SeedEntry]:
    """The entries of a list, of {"memories": [...]}, or of one object a line.

    In the last form a line that is not JSON is an entry with a fault; in the others
    there is no telling where the next entry begins. Raises InvalidInput with line
    and column.
    """
    text = text.removeprefix("\ufeff")
    start = _skip(text, 0)
    if start == len(text):
        raise InvalidInput(reason="It is empty.")
    if _one_a_line(text):
        return list(_of_lines(text))
    try:
        return list(_of_list(text, _find_list(text, start)))
    except json.JSONDecodeError as error:
        raise _invalid(text, error.pos, f"this is not JSON ({error.msg})") from None


def _one_a_line(text: str) -> bool:
    """Whether the first line with anything on it is an object by itself, and not the list's."""
    first = next(line for line in text.split("\n") if line.strip(_SPACES))
    try:
        value = _parse(first)
    except ValueError:
        return False
    return isinstance(value, dict) and LIST_KEY not in value


def _of_lines(text: str) -> Iterator[SeedEntry]:
    number = 0
    for line, said in enumerate(text.split("\n"), start=1):
        if not said.strip(_SPACES):
            continue
        number += 1
        try:
            yield SeedEntry(number, line, _parse(said))
        except json.JSONDecodeError as error:
            fault = f"this is not JSON ({error.msg}, column {error.colno})"
            yield SeedEntry(number, line, fault=fault)
        except ValueError as error:
            yield SeedEntry(number, line, fault=str(error))


def _find_list(text: str, start: int) -> int:
    """Where the list begins: at once, or as the only value of the outer object."""
    if text[start] == "[":
        return start
    if text[start] != "{":
        raise _invalid(text, start, "a list of memories is wanted")
    place = _skip(text, start + 1)
    key, place = _value(text, place)
    if key != LIST_KEY:
        raise _invalid(text, start, f"a list is wanted, or an object with only “{LIST_KEY}”")
    place = _skip(text, _expect(text, _skip(text, place), ":"))
    if text[place : place + 1] != "[":
        raise _invalid(text, place, f"“{LIST_KEY}” is to be a list")
    return place


def _of_list(text: str, start: int) -> Iterator[SeedEntry]:
    place, number, line, counted = _skip(text, start + 1), 0, 1, 0
    more = text[place : place + 1] != "]"
    while more:
        number += 1
        line, counted = line + text.count("\n", counted, place), place
        value, place = _value(text, place)
        yield SeedEntry(number, line, value)
        place = _skip(text, place)
        more = text[place : place + 1] == ","
        if more:
            place = _skip(text, place + 1)
    place = _skip(text, _expect(text, place, "]"))
    if text[_skip(text, 0)] == "{":
        place = _skip(text, _expect(text, place, "}"))
    if place != len(text):
        raise _invalid(text, place, "nothing may follow the list")


def _value(text: str, place: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):
        raise _invalid(text, place, "the value is too large to read") from None


def _parse(line: str) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("the value is too large to read") from None


def _expect(text: str, place: int, sign: str) -> int:
    if text[place : place + 1] != sign:
        raise _invalid(text, place, f"“{sign}” is wanted")
    return place + 1


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    assert match is not None
    return match.end()


def _invalid(text: str, place: int, what: str) -> InvalidInput:
    line = text.count("\n", 0, place) + 1
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    return InvalidInput(reason=f"Line {line}, column {column}: {what}.")


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


SeedName = Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(_printable)]
SeedTime = Annotated[datetime, BeforeValidator(_read_time), AfterValidator(_in_utc)]


class SeedMemory(FrozenModel):
    """What may be said of a memory from outside. A time without an offset is UTC."""

    content: Annotated[str, Field(max_length=MAX_MEMORY_CHARS), AfterValidator(_readable)]
    type: MemoryType = "fact"
    bank: SeedName = DEFAULT_BANK
    tags: Annotated[tuple[SeedName, ...], Field(max_length=MAX_TAGS)] = ()
    importance: UnitInterval = 0.5
    created_at: SeedTime | None = None
    occurred_at: SeedTime | None = None
    expires_at: SeedTime | None = None

    def as_item(self) -> NewMemory:
        return NewMemory(**self.model_dump(), manually_saved=True)


def check_entry(entry: SeedEntry) -> SeedMemory | list[str]:
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


def _place(entry: SeedEntry) -> str:
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


SHOWN_FAULTS = 20
MANY = 1000
MOST_BYTES = 100_000_000


def seed_from(file: Path) -> Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]:
    async def seed(settings: Settings, _leaving: Shutdown) -> int:
        items = await asyncio.to_thread(load_items, file)
        progress = Progress()
        with progress.busy(f"Keeping {_count(len(items))}…"):
            async with open_keepsake(settings, progress) as keepsake:
                kept = await keepsake.memory.remember_all(settings.keepsake_user, items)
        print(f"Kept {_count(len(kept))} for {settings.keepsake_user}.", flush=True)  # noqa: T201
        return 0

    return seed


def load_items(file: Path) -> list[NewMemory]:
    """The memories of a file. Raises InvalidInput, after a line on stderr for each fault."""
    try:
        entries = read_entries(_text_of(file))
    except InvalidInput as error:
        raise InvalidInput(reason=f"{file} was not loaded. {error}") from None
    items: list[NewMemory] = []
    faults: list[str] = []
    for entry in _with_bar(entries):
        match check_entry(entry):
            case SeedMemory() as memory:
                items.append(memory.as_item())
            case wrong:
                faults += wrong
    if faults:
        _show(faults)
        wrong_ones = len(entries) - len(items)
        raise InvalidInput(
            reason=f"{file} was not loaded: {wrong_ones} of {_count(len(entries))} cannot be used. "
            "Nothing was kept."
        )
    return items


def _text_of(file: Path) -> str:
    try:
        if not file.is_file() or file.stat().st_size > MOST_BYTES:
            raise InvalidInput(reason=f"It is no file of at most {MOST_BYTES // 1_000_000} MB.")
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(reason=f"Byte {error.start + 1} is not UTF-8.") from None
    except OSError as error:
        raise InvalidInput(reason=f"It cannot be read ({error.strerror}).") from None


def _with_bar(entries: Sequence[SeedEntry]) -> Sequence[SeedEntry]:
    """With a bar for as many as take a while, on a terminal."""
    console = Console(stderr=True)
    if len(entries) < MANY or not console.is_terminal:
        return entries
    return list(track(entries, "Checking", console=console, transient=True))


def _show(faults: Sequence[str]) -> None:
    for fault in faults[:SHOWN_FAULTS]:
        print(fault, file=sys.stderr)  # noqa: T201
    if len(faults) > SHOWN_FAULTS:
        print(f"and {len(faults) - SHOWN_FAULTS:,} more", file=sys.stderr)  # noqa: T201


def _count(number: int) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'}"
