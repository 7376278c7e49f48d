"""Which memories a client wants listed, as query parameters."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.rest.cursors import From, place_of
from app.rest.fields import Bank, Moment, OneSpace, PageSize, Sought, Tag
from memory.models import ItemType, Role
from memory.settings import Settings
from memory.store.memories.listing import EntryFilter
from memory.write.banks import bank_to_look_in


class EntriesWanted(BaseModel):
    """Filters that all have to hold; none asks for every memory in recall."""

    model_config = ConfigDict(extra="forbid")

    space: OneSpace = None
    pinned: Annotated[bool | None, Field(description="Only pinned ones, or only others.")] = None
    manually_saved: Annotated[
        bool | None, Field(description="Only what its user asked to keep, or only the rest.")
    ] = None
    type: Annotated[ItemType | None, Field(description="Only memories of this type.")] = None
    bank: Annotated[Bank | None, Field(description="Only memories of this bank.")] = None
    role: Annotated[
        Role | None, Field(description="Only what was learned from what this side said.")
    ] = None
    tag: Annotated[Tag | None, Field(description="Only memories with this tag.")] = None
    text: Annotated[
        Sought | None, Field(description="Words as a search engine takes them, or a part of it.")
    ] = None
    since: Annotated[Moment | None, Field(description="Learned then or later.")] = None
    until: Annotated[Moment | None, Field(description="Learned before then.")] = None
    include_replaced: Annotated[
        bool, Field(description="Also what another memory took the place of.")
    ] = False
    include_trimmed: Annotated[
        bool, Field(description="Also what upkeep took out of recall, and what has expired.")
    ] = False
    cursor: From = None
    limit: PageSize = 50

    def as_filter(self, settings: Settings) -> EntryFilter:
        """Raises InvalidInput for a cursor that was not made here."""
        given = self.model_dump(exclude={"space", "bank", "cursor"})
        bank = self.bank and bank_to_look_in(self.bank, settings.memory_banks)
        after = None if self.cursor is None else place_of(self.cursor)
        space = self.space or settings.keepsake_space
        return EntryFilter(**given, space=space, bank=bank, after=after)
