"""What a client sends to keep or to correct a memory."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.rest.fields import Bank, Importance, Moment, Space, Tags, Words, YesNo
from memory.controls.changes import Changes
from memory.controls.editing import known_bank
from memory.errors import InvalidInput
from memory.models import ItemType, NewItem
from memory.settings import Settings
from memory.write.normalise import clean_message


class NewEntry(BaseModel):
    """A memory to keep. What is left out is found out: the type and the bank by the words, and when
    it happened by the dates in them."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "I own a red kayak", "tags": ["boat"]}]},
    )

    text: Words
    space: Space | None = None
    tags: Tags = []
    manually_saved: Annotated[
        YesNo, Field(description="Asked for by the user: more important, and never trimmed.")
    ] = True
    type: ItemType | None = None
    bank: Bank | None = None
    importance: Importance | None = None
    pinned: YesNo = False
    occurred_at: Annotated[Moment | None, Field(examples=["2026-05-01T09:30:00+02:00"])] = None
    expires_at: Annotated[
        Moment | None,
        Field(description="Out of every recall then.", examples=["2999-01-01T00:00:00Z"]),
    ] = None
    despite_forgotten: Annotated[
        YesNo, Field(description="Keep it although it was forgotten a short time ago.")
    ] = False

    def as_item(self, settings: Settings, now: datetime) -> NewItem:
        """Raises MessageRefused where there is nothing to read, and InvalidInput for a bank that
        is not one of the settings' or an `expires_at` that has passed."""
        if self.expires_at is not None and self.expires_at <= now:
            raise InvalidInput(reason="expires_at has passed already, so nothing would be kept.")
        text = clean_message(self.text)
        names = ("tags", "manually_saved", "pinned", "despite_forgotten")
        given = {name: getattr(self, name) for name in names}
        for name in ("type", "importance", "occurred_at", "expires_at"):
            if (value := getattr(self, name)) is not None:
                given[name] = value
        if self.bank is not None:
            given["bank"] = known_bank(self.bank, settings.memory_banks)
        space = self.space or settings.keepsake_space
        return NewItem(content=text, space=space, **given)


class Correction(BaseModel):
    """What is to be different; what is left out or null stays, but an `occurred_at` of null goes.
    With a new text the old one is kept as a replaced memory."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "I own a blue kayak"}]}
    )

    text: Words | None = None
    type: ItemType | None = None
    bank: Bank | None = None
    tags: Tags | None = None
    importance: Importance | None = None
    occurred_at: Moment | None = None

    def as_changes(self) -> Changes:
        given = self.model_dump(exclude_unset=True)
        if "text" in given:
            given["content"] = given.pop("text")
        return Changes(**given)
