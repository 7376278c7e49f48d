"""What the tools take besides the fields of REST, with what a model is told of it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.rest import fields
from app.rest.cursors import Cursor
from app.rest.fields import Bank, Sought
from memory.models import ItemType
from prompts import load_prompt

Limit = Annotated[int, Field(ge=1, le=50)]
Query = Annotated[
    str, Field(min_length=1, max_length=2000, description=load_prompt("query_memory_query"))
]
Types = Annotated[list[ItemType], Field(max_length=7)]
Banks = Annotated[list[Bank], Field(max_length=50)]
GuessedType = Annotated[
    ItemType | None, Field(description="Found out from the words where it is left out.")
]
GuessedBank = Annotated[
    Bank | None, Field(description="Found out from the words where it is left out.")
]
Space = Annotated[
    fields.Space | None,
    Field(
        description="A project or a part of life with memories of its own. Leave it out for the "
        "usual one; name one only where the user did."
    ),
]
OnlyBank = Annotated[Bank | None, Field(description="Only memories of this bank.")]
OnlyType = Annotated[ItemType | None, Field(description="Only memories of this type.")]
OnlyWords = Annotated[Sought | None, Field(description="Only memories with these words in them.")]
PageAfter = Annotated[
    Cursor | None, Field(description="`next` of the page before; left out at first.")
]
MemoryId = Annotated[UUID, Field(description="The id of the memory, as a tool showed it.")]
