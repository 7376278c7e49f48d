"""What a file of memories holds: an export of Keepsake, or another assistant's as plain lines."""

from __future__ import annotations

import codecs
import json
import re
from datetime import UTC, datetime
from typing import Any, BinaryIO

from memory.controls.own_export import OwnExport, is_own_export, read_own_export
from memory.errors import InvalidInput
from memory.models import DEFAULT_SPACE, EARLIEST, LATEST, MAX_ITEM_CHARS, NewItem
from memory.text import storable

# Of a file that is no export of Keepsake.
MAX_CHARS = 20_000_000
MAX_LINES = 10_000
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


def read_import(file: BinaryIO, space: str = DEFAULT_SPACE) -> OwnExport | list[NewItem]:
    """What a file brings: an export of Keepsake, however large, to be read again as it is brought
    in; or the memories, in their order, of JSON with a list of texts, or of plain lines as ChatGPT
    and Claude write them, without their bullets, numbers and dates; headings are left out.

    Raises InvalidInput for anything else.
    """
    if _begins_an_object(file) and is_own_export(file):
        return read_own_export(file)
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
    raw = file.read(MAX_CHARS * _MOST_BYTES_OF_A_CHAR)
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(raw, final=not file.read(1))
    except UnicodeDecodeError:
        raise InvalidInput(reason="That file is not UTF-8 text.") from None
    if len(text) > MAX_CHARS:
        raise InvalidInput(
            reason=f"A file to import can be {MAX_CHARS:,} characters long at most, where it is no "
            "export of Keepsake."
        )
    return text


def as_memory_line(line: str) -> tuple[str, datetime | None]:
    """A line without what only lists it, and the day that stood before it."""
    learned = None
    while match := _BULLET.match(line) or _DATE.match(line):
        named = match.groupdict()
        learned = learned or _day(named.get("boxed") or named.get("bare"))
        line = line[match.end() :]
    quoted = _QUOTED.match(line.strip())
    said = line.strip() if quoted is None else quoted["said"] or quoted["quoted"]
    return storable(said), learned


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


def _from_json(data: Any, space: str) -> list[NewItem]:
    found = data.get("memories") if isinstance(data, dict) else data
    texts = [_text_of(each) for each in found] if isinstance(found, list) else [None]
    if any(text is None for text in texts):
        raise InvalidInput(
            reason="That file is not an export of Keepsake, nor a list of memories. From another "
            "assistant, copy its memories into a text file, one on each line."
        )
    return [_item(text, None, space) for text in texts if text]


def _usable(at: datetime) -> bool:
    return EARLIEST <= at < LATEST


def _lines(text: str, space: str) -> list[NewItem]:
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line and not _NO_MEMORY.match(line)]
    if len(kept) > MAX_LINES:
        raise InvalidInput(reason=f"A file to import can have {MAX_LINES:,} memories at most.")
    if any(len(line) > MAX_ITEM_CHARS or "\x00" in line for line in kept):
        raise InvalidInput(
            reason="That file is no list of memories: it has binary data or a line of more than "
            f"{MAX_ITEM_CHARS:,} characters. Put one memory on each line."
        )
    read = [as_memory_line(line) for line in kept]
    return [_item(said, learned, space) for said, learned in read if any(map(str.isalnum, said))]


def _item(said: str, learned: datetime | None, space: str) -> NewItem:
    if len(said) > MAX_ITEM_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_ITEM_CHARS:,} characters long at most.")
    item = NewItem(content=said, space=space, manually_saved=True)
    if learned is None:  # "last Friday" is whichever it was then
        return item.model_copy(update={"occurred_at": None})
    return item.model_copy(update={"created_at": learned})


def _text_of(entry: Any) -> str | None:
    if isinstance(entry, dict):
        entry = next((entry[name] for name in _TEXT_FIELDS if name in entry), None)
    return storable(entry) if isinstance(entry, str) else None


def _day(named: str | None) -> datetime | None:
    try:
        at = datetime.fromisoformat(named or "").replace(tzinfo=UTC)
    except ValueError:
        return None
    return at if _usable(at) else None
