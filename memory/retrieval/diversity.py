"""Maximal marginal relevance: what is returned is spread over what it is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

T = TypeVar("T")


class TaggedItem(Protocol):
    """A candidate by its id and tags."""

    @property
    def id(self) -> UUID: ...

    @property
    def tags(self) -> Collection[str]: ...


def diversify(
    ranked: Sequence[T],
    similarity: Callable[[T, T], float],
    lambda_: float,
    k: int,
    *,
    value: Callable[[T], float],
    tags: Callable[[T], Collection[str]] = lambda _: (),
) -> list[T]:
    """Up to `k` of the ranked, each time the one with the highest

        λ · value - (1 - λ) · max similarity to those taken

    Carbonell and Goldstein, SIGIR 1998, with 000's value (the total, or the relevance). Value and
    similarity are to lie in [0, 1], a total divided by `Ranking.weight`, or λ means nothing. Of
    equal ones the one that shares fewer tags with those taken is taken (000), then the one that is
    ranked higher. λ = 1 leaves the ranking as it is.
    """
    if lambda_ >= 1:
        return list(ranked[:k])
    values = [value(each) for each in ranked]
    left = dict.fromkeys(range(len(ranked)), 0.0)
    taken: list[T] = []
    seen: set[str] = set()
    while left and len(taken) < k:
        best = min(
            left,
            key=lambda place: (
                -(lambda_ * values[place] - (1 - lambda_) * left[place]),
                len(seen.intersection(tags(ranked[place]))),
                place,
            ),
        )
        del left[best]
        taken.append(ranked[best])
        seen.update(tags(ranked[best]))
        left = {at: max(near, similarity(ranked[at], ranked[best])) for at, near in left.items()}
    return taken


def similarity_function(
    cosines: Mapping[tuple[UUID, UUID], float],
) -> Callable[[TaggedItem, TaggedItem], float]:
    """The similarity of two candidates, 0 to 1: their cosine where it is known (see
    `PairSimilarity.between`), else the overlap of their tags."""

    def similarity(one: TaggedItem, other: TaggedItem) -> float:
        cosine = cosines.get((min(one.id, other.id), max(one.id, other.id)))
        return tag_overlap(one.tags, other.tags) if cosine is None else max(cosine, 0.0)

    return similarity


def tag_overlap(one: Collection[str], other: Collection[str]) -> float:
    """Jaccard: the share of all their tags that both have; 0 where neither has any."""
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 0.0
