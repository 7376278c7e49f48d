"""The memories in another program's JSON: rows with a text, and what else the row tells of it.

Such programs call the same thing by many names: `created_at`, `createdAt`, `timestamp`. Names are
compared without their case and signs. Data from outside: what cannot be read is left out and
counted, and never an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from memory.text import to_storable
from memory.types import (
    EARLIEST_TIME,
    LATEST_TIME,
    MAX_MEMORY_CHARS,
    MEMORY_TYPES,
    NewMemory,
)

MAX_TAG_CHARS = 100
# So many fields that were not taken over are named, the most frequent.
MAX_DROPPED_NAMES = 100
_LISTS = (
    *("memories", "results", "items", "data", "memory", "facts", "entries", "passages", "edges"),
    *("archivalmemory", "documents", "docs", "blocks", "points", "records", "result", "response"),
)
_NESTED = ("metadata", "meta", "value", "kwargs", "content", "memory", "payload", "attributes")
_DEEPEST = 3
_TEXT = ("content", "text", "memory", "fact", "pagecontent", "value", "data")
_LEARNED = (
    *("createdat", "created", "createtime", "createdtime", "createdtimestamp", "creationdate"),
    *("datecreated", "insertedat", "addedat", "savedat", "learnedat", "timestamp", "datetime"),
    *("date", "time"),
)
_UPDATED = ("updatedat", "updated", "updatetime", "modifiedat", "modified", "lastupdated")
_HAPPENED = ("occurredat", "eventdate", "eventtime", "eventat", "happenedat", "validat")
_ENDS = ("expiresat", "expirationdate", "expiredat", "invalidat", "validuntil", "validto")
_TAGS = ("tags", "tag", "categories", "category", "labels", "label", "keywords", "topics")
_TYPES = ("type", "kind", "memorytype")
_GONE = {"isdeleted": True, "deleted": True, "enabled": False, "active": False, "isactive": False}
# What only its own program can read.
_OWN = {"id", "uuid", "key", "hash", "vector", "score", "lc", "namespace", "object"}
_OF_ITS_OWN = re.compile(r"(?:_id|Id)s?$|^embedding")
# A number of seconds below it would be of before 1973: it is a count, or stands for none.
_FIRST_SECOND, _LAST_SECOND, _LAST_NANOSECOND = 1e8, 1e11, 1e20


@dataclass(frozen=True)
class ForeignMemories:
    """What a file that is no export of Keepsake brings: its memories in their order; how many rows
    were left out, and why; and of how many rows a field was not taken over."""

    items: Sequence[NewMemory]
    left_out: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)


def read_rows(data: Any, space: str, now: datetime) -> ForeignMemories | None:
    """The memories in a list of rows, or under any of the usual names. None where no row of it has
    a text."""
    items: list[NewMemory] = []
    left_out: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for entry in _rows(data):
        row = _Row.of(entry)
        if reason := row.reason_against(now):
            left_out[reason] += 1
            continue
        items.append(row.as_memory(space, now))
        dropped.update(row.not_taken())
    if left_out["NoText"] == left_out.total() and not items:
        return None
    return ForeignMemories(items, +left_out, dict(dropped.most_common(MAX_DROPPED_NAMES)))


def imported_memory(content: str, space: str, learned: datetime | None, **told: Any) -> NewMemory:
    """A memory that its user asked for. When it happened is left open where nobody says when it was
    learned: "last Friday" is whichever it was then."""
    item = NewMemory(content=content, space=space, manually_saved=True)
    when = {"occurred_at": None} if learned is None else {"created_at": learned}
    return item.model_copy(update=when | told)


def _rows(data: Any, depth: int = 0) -> list[Any]:
    if isinstance(data, list):
        return data
    if not isinstance(data, dict) or depth == _DEEPEST:
        return []
    if _Row.of(data).text:
        return [data]
    under = {_plain(name): value for name, value in data.items()}
    return next((rows for name in _LISTS if (rows := _rows(under.get(name), depth + 1))), [])


class _Row:
    """The fields of one row and of the objects in it, by their plain names; the outer ones first.
    Whatever is read is taken; see `not_taken`."""

    def __init__(self, fields: Mapping[str, tuple[str, Any]]) -> None:
        self._fields = fields
        self._taken: set[str] = set()
        self.text = self._text()

    @classmethod
    def of(cls, entry: Any) -> _Row:
        if isinstance(entry, str):
            entry = {"text": entry}
        fields: dict[str, tuple[str, Any]] = {}
        for name, value in _flat(entry):
            fields.setdefault(_plain(name), (name, value))
        return cls(fields)

    def reason_against(self, now: datetime) -> str | None:
        if not self.text:
            return "NoText"
        if len(self.text) > MAX_MEMORY_CHARS:
            return "InvalidInput"
        gone = any(self._value(name) is state for name, state in _GONE.items())
        ends = self._moment(_ENDS)
        if gone or self._value("deletedat") or (ends and ends <= now):
            return "Ended"
        return None

    def as_memory(self, space: str, now: datetime) -> NewMemory:
        learned = self._moment(_LEARNED, now)
        if learned is None:
            learned = self._moment(_UPDATED, now)
        else:  # when the words were changed last is not asked where it is known when they began
            self._taken.update(_UPDATED)
        told: dict[str, Any] = {"tags": self._tags(), "expires_at": self._moment(_ENDS)}
        if happened := self._moment(_HAPPENED):
            told["occurred_at"] = happened
        if kind := self._type():
            told["type"] = kind
        return imported_memory(self.text, space, learned, **told)

    def not_taken(self) -> list[str]:
        """The names of the fields that hold something and were not understood, as they are written
        in the file."""
        known = {*self._taken, *_OWN, *_GONE}
        return [
            _printable(name[:MAX_TAG_CHARS])
            for plain, (name, value) in self._fields.items()
            if plain not in known and value and not _OF_ITS_OWN.search(name)
        ]

    def _value(self, name: str) -> Any:
        return self._fields.get(name, ("", None))[1]

    def _text(self) -> str:
        for name in _TEXT:
            if isinstance(said := self._value(name), str) and (text := to_storable(said)):
                self._taken.add(name)
                return text
        return ""

    def _moment(self, names: Sequence[str], latest: datetime = LATEST_TIME) -> datetime | None:
        for name in names:
            at = _read_moment(self._value(name))
            if at is not None and EARLIEST_TIME <= at <= latest:
                self._taken.add(name)
                return at
        return None

    def _tags(self) -> tuple[str, ...]:
        found: list[str] = []
        for name in _TAGS:
            tags, all_read = _read_tags(self._value(name))
            found += tags
            if all_read:
                self._taken.add(name)
        return tuple(dict.fromkeys(found))

    def _type(self) -> str | None:
        for name in _TYPES:
            said = self._value(name)
            if isinstance(said, str) and said.casefold() in MEMORY_TYPES:
                self._taken.add(name)
                return said.casefold()
        return None


def _flat(entry: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if not isinstance(entry, dict) or depth == _DEEPEST:
        return
    nested = {
        name for name, each in entry.items() if isinstance(each, dict) and _plain(name) in _NESTED
    }
    yield from ((name, each) for name, each in entry.items() if name not in nested)
    for name in entry:
        if name in nested:
            yield from _flat(entry[name], depth + 1)


def _printable(name: str) -> str:
    """A name of the file reaches a terminal, which control characters would drive."""
    return "".join(each if each.isprintable() else "\ufffd" for each in name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _read_moment(value: Any) -> datetime | None:
    """Of ISO 8601, of the form of mails, or of seconds, milliseconds or less since 1970; in UTC
    where no offset is named."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    said = str(value).strip()
    for read in (datetime.fromisoformat, _from_seconds, parsedate_to_datetime):
        try:
            at = read(said)
            return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
        except (ValueError, OverflowError, OSError):
            continue
    return None


def _from_seconds(said: str) -> datetime:
    seconds = float(said)
    if not _FIRST_SECOND <= seconds <= _LAST_NANOSECOND:
        raise ValueError
    while seconds > _LAST_SECOND:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC)


def _read_tags(value: Any) -> tuple[list[str], bool]:
    """Of a list or of words with commas, and whether all of it could be read."""
    said = value.split(",") if isinstance(value, str) else value
    if not isinstance(said, list):
        return [], not said
    names = [each.get("name") if isinstance(each, dict) else each for each in said]
    tags = [" ".join(each.split()).lstrip("#") for each in names if isinstance(each, str)]
    fit = [each for each in tags if each and each.isprintable() and len(each) <= MAX_TAG_CHARS]
    return fit, len(fit) == len([each for each in names if each != ""])
