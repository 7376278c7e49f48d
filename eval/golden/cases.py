"""The golden set: invented people, their memories, and what a question must bring back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, model_validator

from eval.reading import Strict, read_set, repeats
from memory.models import MAX_ITEM_CHARS, ItemType, NewItem

FILE = "memory.json"
FOLDER = Path(__file__).parent
# The day on which the set's people ask; what expires or lies in the past is measured from it.
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
# The category that asks for what was true before, and so for what was superseded.
PAST = "past"


class GoldenMemory(Strict):
    """A memory as it lies in the store when the question is asked."""

    content: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType
    created_at: AwareDatetime | None = None
    occurred_at: AwareDatetime | None = None
    expires_at: AwareDatetime | None = None
    deleted: bool = False
    superseded: bool = False

    @property
    def living(self) -> bool:
        expired = self.expires_at is not None and self.expires_at <= NOW
        return not (self.deleted or self.superseded or expired)

    def as_new_item(self) -> NewItem:
        return NewItem(
            content=self.content,
            type=self.type,
            created_at=self.created_at,
            occurred_at=self.occurred_at,
            expires_at=self.expires_at,
        )


class Store(Strict):
    memories: tuple[GoldenMemory, ...]


class GoldenCase(Strict):
    """`held_back` cases are not read while developing: a run tells only their totals."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    category: Annotated[str, Field(min_length=1)]
    store: str | None = None
    setup_memories: tuple[GoldenMemory, ...] = ()
    other_user_memories: tuple[GoldenMemory, ...] = ()
    query: str
    types: tuple[ItemType, ...] | None = None
    token_budget: Annotated[int, Field(ge=1)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    expected_retrievals: tuple[str, ...]
    forbidden_retrievals: tuple[str, ...] = ()
    rubric: str = ""
    held_back: bool = False


class GoldenSet(Strict):
    """Cases over named stores. A case sees its store and its own set-up, no two of whose memories
    have the same words, since it names what it expects by its words."""

    version: str = ""
    description: str = ""
    stores: dict[str, Store] = Field(default_factory=dict)
    cases: Annotated[tuple[GoldenCase, ...], Field(min_length=1)]

    def memories_of(self, case: GoldenCase) -> tuple[GoldenMemory, ...]:
        shared = self.stores[case.store].memories if case.store is not None else ()
        return shared + case.setup_memories

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if repeated := repeats([case.id for case in self.cases]):
            raise ValueError(f"these case ids appear twice: {', '.join(repeated)}")
        for case in self.cases:
            if fault := self._fault(case):
                raise ValueError(f"case {case.id}: {fault}")
        return self

    def _fault(self, case: GoldenCase) -> str | None:
        if case.store is not None and case.store not in self.stores:
            return f"there is no store {case.store}"
        memories = self.memories_of(case)
        contents = [memory.content for memory in memories]
        living = {memory.content for memory in memories if memory.living}
        past = {memory.content for memory in memories if memory.superseded and not memory.deleted}
        expectable = living | past if case.category == PAST else living
        others = {memory.content for memory in case.other_user_memories}
        if len(set(contents)) < len(contents):
            return "two of its memories have the same words"
        if unknown := set(case.expected_retrievals) - expectable:
            return f"expects what no living memory of it says: {min(unknown)!r}"
        if unknown := set(case.forbidden_retrievals) - set(contents) - others:
            return f"forbids what no memory says: {min(unknown)!r}"
        if not living and any(memory.superseded for memory in memories):
            return "a memory is superseded, and there is none that took its place"
        return None


def load_golden(folder: Path = FOLDER) -> GoldenSet:
    """Reads `memory.json` in the folder. Raises DatasetUnreadable with the first fault."""
    return read_set(folder / FILE, GoldenSet)
