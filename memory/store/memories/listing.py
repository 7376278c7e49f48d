"""Which memories are listed, and a page of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from memory.models import DEFAULT_SPACE, Frozen, ItemType, KeptItem, Role

MAX_LISTED = 200


class Place(Frozen):
    """Where a page ended: the next one begins after it, whatever was added meanwhile."""

    created_at: datetime
    id: UUID


class EntryFilter(Frozen):
    """Which memories are listed; None asks for all of them.

    `text` is searched for in content and tags, stemmed and with quotes, OR and - as a search
    engine takes them, or as a part of the content. `since` counts, `until` does not any more.
    """

    space: str = DEFAULT_SPACE
    type: ItemType | None = None
    bank: str | None = None
    role: Role | None = None
    tag: str | None = None
    pinned: bool | None = None
    manually_saved: bool | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    include_replaced: bool = False
    include_trimmed: bool = False
    after: Place | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 50

    @property
    def arguments(self) -> tuple[object, ...]:
        """The values in the order of the query's places, with one row more than is asked for."""
        after = self.after
        return (
            self.space,
            self.type,
            self.bank,
            self.role,
            self.tag,
            self.pinned,
            self.manually_saved,
            self.text,
            self.since,
            self.until,
            self.include_replaced,
            self.include_trimmed,
            None if after is None else after.created_at,
            None if after is None else after.id,
            self.limit + 1,
        )


@dataclass(frozen=True)
class Page:
    """Some memories, and where the next page begins; None where there is none."""

    items: tuple[KeptItem, ...]
    next: Place | None
