"""Which memories a client wants listed, as query parameters."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.rest.cursors import Cursor, place_of
from app.rest.fields import Bank, Moment, Sought, Space, Tag
from memory.models import ItemType, Role
from memory.settings import Settings
from memory.store.listing import MAX_LISTED, EntryFilter
from memory.write.banks import allowed_bank


class EntriesWanted(BaseModel):
    """Filters that all have to hold; none asks for every memory in recall."""

    model_config = ConfigDict(extra="forbid")

    space: Space | None = None
    pinned: bool | None = None
    manually_saved: bool | None = None
    type: ItemType | None = None
    bank: Bank | None = None
    role: Role | None = None
    tag: Tag | None = None
    text: Annotated[
        Sought | None, Field(description="Words as a search engine takes them, or a part of it.")
    ] = None
    since: Annotated[Moment | None, Field(description="Learned then or later.")] = None
    until: Annotated[Moment | None, Field(description="Learned before then.")] = None
    include_replaced: bool = False
    include_trimmed: bool = False
    cursor: Cursor | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 50

    def as_filter(self, settings: Settings) -> EntryFilter:
        """Raises InvalidInput for a cursor that was not made here."""
        given = self.model_dump(exclude={"space", "bank", "cursor"})
        bank = self.bank and (allowed_bank(self.bank, settings.memory_banks) or self.bank)
        after = None if self.cursor is None else place_of(self.cursor)
        space = self.space or settings.keepsake_space
        return EntryFilter(**given, space=space, bank=bank, after=after)
