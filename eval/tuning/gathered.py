"""A question with all that the legs found for it: what every setting is judged on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import comb
from typing import Literal, TypeAlias
from uuid import UUID

from memory.embedders.protocol import Embedding
from memory.recall.messages.evidence import Weighed as WeighedMessage
from memory.recall.search.weighing import Weighed
from memory.recall.timing import Timing

View = Literal["whole", "keyword", "vector", "untimed"]
WHOLE: View = "whole"
"""The search as it is; with one leg alone, as if the other had failed; and with the words of time
taken for words like any other."""
Pair: TypeAlias = tuple[UUID, UUID]


class Cosines(Mapping[Pair, float]):
    """The cosine of any two that have a vector, worked out when it is asked for: of a hundred
    candidates there are thousands of pairs, and a recall looks at few."""

    def __init__(self, vectors: Mapping[UUID, Embedding]) -> None:
        self._vectors = vectors

    def __getitem__(self, pair: Pair) -> float:
        one, other = pair
        return float(self._vectors[one] @ self._vectors[other])

    def __iter__(self) -> Iterator[Pair]:
        return combinations(sorted(self._vectors), 2)

    def __len__(self) -> int:
        return comb(len(self._vectors), 2)


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """One question. `covers` says by id what evidence a candidate holds and `wanted` what of it
    answers. `group` is the set and view, `fold` what is held out together, `limit` the question's
    own where it has one."""

    group: str
    fold: str
    id: str
    category: str
    query: str
    now: datetime
    wanted: frozenset[str]
    covers: Mapping[str, frozenset[str]]
    limit: int | None = None


@dataclass(frozen=True)
class Seen:
    """What one view of the search found: the candidates with their evidence, the ids of each leg,
    best first, and the time that the question was taken to speak of."""

    weighed: Sequence[Weighed]
    rankings: Sequence[Sequence[UUID]]
    timing: Timing
    whole_topic: bool = False


@dataclass(frozen=True, kw_only=True)
class GatheredMemories(Gathered):
    """`cosines` are those between the candidates of any view."""

    views: Mapping[View, Seen]
    cosines: Mapping[Pair, float]


@dataclass(frozen=True, kw_only=True)
class GatheredMessages(Gathered):
    """Past messages instead of memories; time is not read in a question about them."""

    views: Mapping[View, Sequence[WeighedMessage]]
