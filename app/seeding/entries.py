"""The entries of a seed file with the lines they begin on. Pure functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memory.errors import InvalidInput

LIST_KEY = "memories"
_SPACES = " \t\r\n"
_SPACE = re.compile(f"[{_SPACES}]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Entry:
    """`number` and `line` count from one. `fault` says why it could not be read at all."""

    number: int
    line: int
    value: Any = None
    fault: str | None = None


def read_entries(text: str) -> list[Entry]:
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


def _of_lines(text: str) -> Iterator[Entry]:
    number = 0
    for line, said in enumerate(text.split("\n"), start=1):
        if not said.strip(_SPACES):
            continue
        number += 1
        try:
            yield Entry(number, line, _parse(said))
        except json.JSONDecodeError as error:
            fault = f"this is not JSON ({error.msg}, column {error.colno})"
            yield Entry(number, line, fault=fault)
        except ValueError as error:
            yield Entry(number, line, fault=str(error))


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


def _of_list(text: str, start: int) -> Iterator[Entry]:
    place, number, line, counted = _skip(text, start + 1), 0, 1, 0
    more = text[place : place + 1] != "]"
    while more:
        number += 1
        line, counted = line + text.count("\n", counted, place), place
        value, place = _value(text, place)
        yield Entry(number, line, value)
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
