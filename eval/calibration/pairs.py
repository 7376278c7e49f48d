"""The own training pairs: invented people, their memories, and which of them answer a question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from eval.errors import DatasetUnreadable
from eval.evidence.corpus import Corpus, Piece, Question
from eval.reading import Strict, first_fault
from memory.models import ItemType

FILE = Path(__file__).with_name("pairs.json")
# The pairs carry no dates: a day apart from here, in their order.
_START = datetime(2026, 1, 1, tzinfo=UTC)


class PairMemory(Strict):
    content: Annotated[str, Field(min_length=1)]
    type: ItemType


class PairQuery(Strict):
    """`relevant` holds places in the store's memories, from 0."""

    query: Annotated[str, Field(min_length=1)]
    relevant: tuple[Annotated[int, Field(ge=0)], ...]


class PairStore(Strict):
    name: Annotated[str, Field(min_length=1)]
    memories: tuple[PairMemory, ...]
    queries: tuple[PairQuery, ...]

    @model_validator(mode="after")
    def _within(self) -> Self:
        highest = max((place for query in self.queries for place in query.relevant), default=-1)
        if highest >= len(self.memories):
            raise ValueError(f"{self.name} has no memory {highest}")
        return self

    def as_corpus(self) -> Corpus:
        pieces = tuple(
            Piece(memory.content, memory.type, _START + timedelta(days=place), _names(place))
            for place, memory in enumerate(self.memories)
        )
        questions = tuple(
            Question(str(number), "pairs", query.query, _names(*query.relevant))
            for number, query in enumerate(self.queries)
        )
        return Corpus(self.name, pieces, questions, _START + timedelta(days=365))


class Pairs(Strict):
    version: str
    description: str = ""
    stores: Annotated[tuple[PairStore, ...], Field(min_length=2)]


def load_pairs(path: Path = FILE) -> list[Corpus]:
    """A corpus for each store. Raises DatasetUnreadable."""
    try:
        pairs = Pairs.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetUnreadable(path=path, reason=error.strerror or str(error)) from error
    except ValidationError as error:
        raise DatasetUnreadable(path=path, reason=first_fault(error)) from None
    return [store.as_corpus() for store in pairs.stores]


def _names(*places: int) -> frozenset[str]:
    return frozenset(map(str, places))
