"""What became of a memory that was to be kept, and what went with one that was forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import zip_longest
from typing import Literal, Self, get_args
from uuid import UUID

from pydantic import BaseModel

from agent.turn.learning import which_holds
from app.rest.entry import Entry, entries_of
from memory.controls.entries import Entries
from memory.models import Outcome
from memory.store.forgetting.forgetting import Forgotten
from memory.store.idempotency import Done

Kind = Literal["kept", "repeated", "replaced", "doubtful"]
_KINDS: Mapping[str, Kind] = {kind: kind for kind in get_args(Kind)}


class AskedDoubt(BaseModel):
    """A question that waits at `/v1/memory/doubts`."""

    id: UUID
    question: str


class Kept(BaseModel):
    """What became of a memory. `repeated` counted it on one that was there; `replaced` took the
    `older` ones out of recall; `doubtful` asks whether it replaces them."""

    outcome: Kind
    entry: Entry
    older: list[Entry]
    doubts: list[AskedDoubt]

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        asked = zip(outcome.doubt_ids, outcome.older, strict=False)  # only a doubt has ids
        return cls(
            outcome=outcome.kind,
            entry=Entry.of(outcome.item),
            older=entries_of(outcome.older),
            doubts=[
                AskedDoubt(id=each, question=which_holds(older.content, outcome.item.content))
                for each, older in asked
            ],
        )


def ids_of(outcome: Outcome) -> dict[str, tuple[UUID, ...]]:
    """What an answer is made from again when its request is repeated; see `kept_before`."""
    return {
        "entry": (outcome.item.id,),
        "older": tuple(each.id for each in outcome.older),
        "doubts": outcome.doubt_ids,
    }


async def kept_before(done: Done, user_id: str, entries: Entries) -> Outcome:
    """The outcome of a request that was done before, with the memories as they are now; an older
    one that was forgotten meanwhile is left out. Raises NotFound where the memory was."""
    assert done.outcome is not None
    item = await entries.read(user_id, done.ids["entry"][0])
    known = await entries.read_several(user_id, done.ids["older"])
    pairs = list(zip_longest(done.ids["older"], done.ids["doubts"]))
    older = tuple(known[old_id] for old_id, _ in pairs if old_id in known)
    asked = tuple(doubt for old_id, doubt in pairs if old_id in known and doubt is not None)
    return Outcome(_KINDS[done.outcome], item, older, asked)


class Gone(BaseModel):
    """What was forgotten: the memory, what it had replaced, and what was made from it. Until
    `undo_until` it can be restored; null where it is erased already."""

    forgotten: list[UUID]
    undo_until: datetime | None

    @classmethod
    def of(cls, forgotten: Forgotten) -> Self:
        return cls(forgotten=list(forgotten.ids), undo_until=forgotten.undo_until)
