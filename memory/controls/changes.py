"""What is corrected in a memory."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from memory.models import BankName, Frozen, ItemType, Name, Share


class Changes(Frozen):
    """What is corrected in a memory; None leaves it as it is, but an `occurred_at` that is given as
    None goes."""

    content: str | None = None
    type: ItemType | None = None
    bank: BankName | None = None
    tags: tuple[Annotated[str, Name, Field(max_length=100)], ...] | None = None
    importance: Share | None = None
    occurred_at: datetime | None = None

    @property
    def fields(self) -> dict[str, object]:
        """What is given, but for the content."""
        given = {name: value for name, value in self if value is not None}
        if "occurred_at" in self.model_fields_set:
            given["occurred_at"] = self.occurred_at
        return {name: value for name, value in given.items() if name != "content"}
