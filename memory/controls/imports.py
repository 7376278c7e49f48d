"""What a file of memories holds: an export of Keepsake, or another assistant's as plain lines.
Pure functions."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from memory.errors import InvalidInput
from memory.models import DEFAULT_SPACE, EARLIEST, LATEST, MAX_ITEM_CHARS, NewItem
from memory.text import storable
from memory.write.types import type_of

FORMAT = "keepsake-export"
VERSION = 1
MAX_CHARS = 20_000_000
MAX_LINES = 10_000
_FIELDS = set(NewItem.model_fields) - {"despite_forgotten", "source_message_id"}
_DATES = ("created_at", "occurred_at", "expires_at")
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


def read_import(text: str, space: str = DEFAULT_SPACE) -> list[NewItem]:
    """The memories in a file, in its order.

    Takes an export of Keepsake (its living memories, in the spaces they were in), JSON with a list
    of texts, or plain lines as ChatGPT and Claude write them, without their bullets, numbers and
    dates; headings are left out. Raises InvalidInput for anything else.
    """
    if len(text) > MAX_CHARS:
        raise InvalidInput(reason=f"A file to import can be {MAX_CHARS:,} characters long at most.")
    stripped = text.lstrip("\ufeff").strip()
    if not stripped:
        raise InvalidInput(reason="There is nothing in that file.")
    data = _json(stripped)
    items = _lines(stripped, space) if data is None else _from_json(data, space)
    if not items:
        raise InvalidInput(reason="There are no memories in that file.")
    return items


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
    if isinstance(data, dict) and data.get("format") == FORMAT:
        return _own(data)
    found = data.get("memories") if isinstance(data, dict) else data
    texts = [_text_of(each) for each in found] if isinstance(found, list) else [None]
    if any(text is None for text in texts):
        raise InvalidInput(
            reason="That file is not an export of Keepsake, nor a list of memories. From another "
            "assistant, copy its memories into a text file, one on each line."
        )
    return [_item(text, None, space) for text in texts if text]


def _own(data: dict[str, Any]) -> list[NewItem]:
    """The living memories of an export; what was replaced or trimmed stays behind."""
    if data.get("version") != VERSION:
        raise InvalidInput(
            reason=f"That export is of version {str(data.get('version'))[:20]}, and this program "
            f"reads version {VERSION}. Take the newest Keepsake."
        )
    rows = data.get("memories")
    try:
        return [
            _dated(NewItem(**{name: value for name, value in row.items() if name in _FIELDS}))
            for row in (rows if isinstance(rows, list) else [])
            if row.get("deleted_at") is None and row.get("superseded_by") is None
        ]
    except (ValueError, AttributeError, TypeError):
        raise InvalidInput(
            reason="That is an export of Keepsake, but a memory in it is damaged. Export it again."
        ) from None


def _dated(item: NewItem) -> NewItem:
    """With its dates in UTC where they have no offset. Raises ValueError for one that nothing can
    be reckoned from."""
    given = {name: at for name in _DATES if (at := getattr(item, name)) is not None}
    utc = {name: at if at.tzinfo else at.replace(tzinfo=UTC) for name, at in given.items()}
    if not all(map(_usable, utc.values())):
        raise ValueError
    return item.model_copy(update=utc)


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
    item = NewItem(content=said, type=type_of(said), space=space, manually_saved=True)
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
