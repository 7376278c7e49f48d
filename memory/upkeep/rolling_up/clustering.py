"""Which old memories belong together (003, phase 3). Pure functions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.store.upkeep.roll_ups import Source

Strategy = Literal["embeddings", "tags", "hybrid"]
Cluster: TypeAlias = tuple[Source, ...]
TAG = "summarized"
"""003 marks a summary with it; it says nothing of what one is about."""

_TELLING = 6
# No two of a cluster are further apart than this share of what each has with its centre.
_APART = 0.5
Similarities: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Grouping:
    """003's settings: how clusters are found, the cosine that each memory of a cluster by
    embeddings has at least with the centre of it, and how many memories one has."""

    strategy: Strategy = "hybrid"
    similarity: float = 0.7
    least: int = 3
    most: int = 8


def clusters_of(sources: Sequence[Source], by: Grouping, borne: Mapping[str, int]) -> list[Cluster]:
    """Disjoint clusters of `least` to `most` memories, each the oldest first.

    Only memories of one space, bank, type and role come together, so that every filter of a
    recall finds the roll-up where it found them; of those that tell when something happened, only
    those of one month; and only vectors of one model.

    - embeddings: each has a cosine of at least `similarity` with the mean vector of its cluster,
      and no two of one have less than half of that. (Of each two, 0.7 would be asked of memories
      that say nearly the same: “We keep my canoe in the shed” and “The colour of my canoe is
      green” have 0.43 with the local model.)
    - tags: all of a cluster share a tag, the rarest first.
    - hybrid: clusters by embeddings, each two of which share such a label. `borne` says how many
      memories of the user bear a tag: one that far more bear than go into a roll-up (“birthday”,
      “euros”) says of what kind a memory is and not what it is about, and counts for nothing.
    """
    alike: dict[object, list[Source]] = defaultdict(list)
    for source in sources:
        alike[_kind(source)].append(source)
    kinds = frozenset(tag for tag, count in borne.items() if count > _TELLING * by.most)
    find = _by_tags if by.strategy == "tags" else _by_embeddings
    found = [each for members in alike.values() for each in find(members, by, kinds)]
    return [_in_order(cluster) for cluster in found]


def _by_embeddings(
    members: Sequence[Source], by: Grouping, kinds: frozenset[str]
) -> Iterator[Cluster]:
    """From the memory with the most neighbours on, one cluster after the other."""
    vectors = np.stack([each.embedding for each in members])
    cosines: Similarities = vectors @ vectors.T
    near = cosines >= by.similarity * _APART
    if by.strategy == "hybrid":
        near &= _sharing(members, kinds)
    free = np.ones(len(members), dtype=bool)
    for seed in np.argsort(-near.sum(axis=1), kind="stable"):
        if not free[seed]:
            continue
        chosen = _grown(int(seed), cosines, near & free, by)
        cluster = tuple(members[place] for place in chosen)
        if len(cluster) >= by.least:
            free[chosen] = False
            yield cluster


def _grown(
    seed: int,
    cosines: Similarities,
    near: npt.NDArray[np.bool_],
    by: Grouping,
) -> list[int]:
    """The seed with whatever is nearest to the centre of those chosen so far, for as long as each
    of them stays near enough to it.

    Of unit vectors with the cosines c, the i-th one's cosine with their centre is
    sum_j c_ij / sqrt(sum_ij c_ij).
    """
    chosen, fits, sums = [seed], near[seed].copy(), cosines[seed].copy()
    fits[seed] = False
    while len(chosen) < by.most and fits.any():
        place = int(np.argmax(np.where(fits, sums, -np.inf)))
        sums = sums + cosines[place]
        together = [*chosen, place]
        if sums[together].min() < by.similarity * np.sqrt(max(sums[together].sum(), 0.0)):
            break
        chosen = together
        fits &= near[place]
        fits[place] = False
    return chosen


def _sharing(members: Sequence[Source], kinds: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Shape (members, members): which two share a label that says what they are about."""
    labels = [_labels(each) - kinds for each in members]
    places = {label: at for at, label in enumerate(sorted(set().union(*labels)))}
    borne = np.zeros((len(members), len(places)), dtype=np.float32)
    for at, each in enumerate(labels):
        borne[at, [places[label] for label in each]] = 1
    shared: npt.NDArray[np.bool_] = borne @ borne.T > 0
    return shared


def _by_tags(members: Sequence[Source], by: Grouping, kinds: frozenset[str]) -> Iterator[Cluster]:
    counts = Counter(label for each in members for label in _labels(each) - kinds)
    free = {each.id: each for each in sorted(members, key=_age)}
    for label, count in sorted(counts.items(), key=lambda pair: (pair[1], pair[0])):
        if count < by.least:
            continue
        labelled = [each for each in free.values() if label in _labels(each)]
        for start in range(0, len(labelled), by.most):
            chunk = tuple(labelled[start : start + by.most])
            if len(chunk) >= by.least:
                yield chunk
                for each in chunk:
                    del free[each.id]


def _labels(source: Source) -> set[str]:
    return {tag.casefold() for tag in source.tags} - {TAG}


def _kind(source: Source) -> object:
    at = source.occurred_at
    month = None if at is None else (at.year, at.month)
    asked_for = source.space, source.bank, source.type, source.role
    return *asked_for, month, source.embedding_model


def _in_order(cluster: Iterable[Source]) -> Cluster:
    return tuple(sorted(cluster, key=_age))


def _age(source: Source) -> tuple[object, ...]:
    return source.created_at, str(source.id)
