"""The events of one turn, numbered from 1, and what is kept of them when it has ended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TypeAlias

from pydantic import BaseModel

from app.chats.events import EventName, TextEvent

# What an event takes besides its data, about.
_OVERHEAD = 150


@dataclass(frozen=True)
class Told:
    """An event as it is sent: its number, its name, and its data as JSON."""

    number: int
    name: EventName
    data: str


@dataclass(frozen=True)
class Joined:
    """The text of events that followed each other, as one. `number` is the last one's; `ends` says
    where each of them ends in it, so that it can be gone on with after any of them."""

    number: int
    text: str
    ends: tuple[int, ...]

    def after(self, number: int) -> Told:
        heard = len(self.ends) - (self.number - number)
        rest = self.text[self.ends[heard - 1] if heard > 0 else 0 :]
        return Told(self.number, "text", TextEvent(text=rest).model_dump_json())


Kept: TypeAlias = Told | Joined


class Events:
    """`size` is what they take in memory once they are joined, about, in bytes."""

    def __init__(self) -> None:
        self.size = 0
        self._kept: list[Kept] = []

    def __bool__(self) -> bool:
        return bool(self._kept)

    def add(self, name: EventName, data: BaseModel) -> None:
        number = self._kept[-1].number + 1 if self._kept else 1
        self._kept.append(Told(number, name, data.model_dump_json()))

    def next_after(self, number: int) -> Told | None:
        """The first one that is not known to whoever has heard as far as that."""
        place = bisect_right(self._kept, number, key=lambda each: each.number)
        if place == len(self._kept):
            return None
        found = self._kept[place]
        return found if isinstance(found, Told) else found.after(number)

    def join(self) -> None:
        """Texts that follow each other are one from now on. Their numbers stay."""
        told = (each for each in self._kept if isinstance(each, Told))
        groups = groupby(told, key=lambda each: each.name == "text")
        self._kept = [kept for is_text, group in groups for kept in _joined(is_text, group)]
        self.size = sum(map(_size, self._kept))


def _size(kept: Kept) -> int:
    return _OVERHEAD + len(kept.data if isinstance(kept, Told) else kept.text)


def _joined(is_text: bool, group: Iterable[Told]) -> Iterator[Kept]:
    if not is_text:
        yield from group
        return
    all_told = list(group)
    texts = [TextEvent.model_validate_json(each.data).text for each in all_told]
    ends = tuple(accumulate(len(text) for text in texts))
    yield Joined(all_told[-1].number, "".join(texts), ends)
