"""Which old memories belong together (003, phase 3), and whether what they tell is still found
afterwards. Pure functions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.embeddings.protocol import Embedding
from memory.store.lifecycle import RollUpSource

ClusterStrategy = Literal["embeddings", "tags", "hybrid"]
Cluster: TypeAlias = tuple[RollUpSource, ...]
ROLL_UP_TAG = "summarized"
"""003 marks a summary with it; it says nothing of what one is about."""

_TELLING = 6
# No two of a cluster are further apart than this share of what each has with its centre.
_APART = 0.5
Similarities: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ClusterRules:
    """003's settings: how clusters are found, the cosine that each memory of a cluster by
    embeddings has at least with the centre of it, and how many memories one has."""

    strategy: ClusterStrategy = "hybrid"
    similarity: float = 0.7
    least: int = 3
    most: int = 8


def find_clusters(
    sources: Sequence[RollUpSource], by: ClusterRules, borne: Mapping[str, int]
) -> list[Cluster]:
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
    alike: dict[object, list[RollUpSource]] = defaultdict(list)
    for source in sources:
        alike[_kind(source)].append(source)
    kinds = frozenset(tag for tag, count in borne.items() if count > _TELLING * by.most)
    find = _by_tags if by.strategy == "tags" else _by_embeddings
    found = [each for members in alike.values() for each in find(members, by, kinds)]
    return [_in_order(cluster) for cluster in found]


def _by_embeddings(
    members: Sequence[RollUpSource], by: ClusterRules, kinds: frozenset[str]
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
    by: ClusterRules,
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


def _sharing(members: Sequence[RollUpSource], kinds: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Shape (members, members): which two share a label that says what they are about."""
    labels = [_labels(each) - kinds for each in members]
    places = {label: at for at, label in enumerate(sorted(set().union(*labels)))}
    borne = np.zeros((len(members), len(places)), dtype=np.float32)
    for at, each in enumerate(labels):
        borne[at, [places[label] for label in each]] = 1
    shared: npt.NDArray[np.bool_] = borne @ borne.T > 0
    return shared


def _by_tags(
    members: Sequence[RollUpSource], by: ClusterRules, kinds: frozenset[str]
) -> Iterator[Cluster]:
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


def _labels(source: RollUpSource) -> set[str]:
    return {tag.casefold() for tag in source.tags} - {ROLL_UP_TAG}


def _kind(source: RollUpSource) -> object:
    at = source.occurred_at
    month = None if at is None else (at.year, at.month)
    asked_for = source.space, source.bank, source.type, source.role
    return *asked_for, month, source.embedding_model


def _in_order(cluster: Iterable[RollUpSource]) -> Cluster:
    return tuple(sorted(cluster, key=_age))


def _age(source: RollUpSource) -> tuple[object, ...]:
    return source.created_at, str(source.id)


_Vectors = npt.NDArray[np.float32]


def centroid(sources: Sequence[RollUpSource]) -> Embedding:
    """The mean of their vectors, of unit length."""
    return _centre(np.stack([source.embedding for source in sources]))


class SpaceVectors:
    """The vectors of unit length of all that is in recall in one space, by their ids; at least
    one."""

    def __init__(self, vectors: Mapping[UUID, Embedding]) -> None:
        self._places = {key: place for place, key in enumerate(vectors)}
        self._vectors: _Vectors = np.stack(list(vectors.values()))

    def together(
        self, cluster: Cluster, floor: float, gone: Collection[RollUpSource] = ()
    ) -> Cluster:
        """Those of a cluster for each of which their centre is what is nearest to it: it has with
        that a cosine of `floor` (0 to 1), and with no memory outside a higher one. What is furthest
        from it goes first, and is outside from then on; what is `gone` is never.
        """
        vectors = np.array([source.embedding for source in cluster])
        outside, among = self._nearest_to(vectors, [*cluster, *gone]), vectors @ vectors.T
        left, out = list(range(len(cluster))), list[int]()
        while left:
            beside = among[np.ix_(left, out)].max(axis=1, initial=floor)
            ahead = vectors[left] @ _centre(vectors[left]) - np.maximum(beside, outside[left])
            worst = int(ahead.argmin())
            if ahead[worst] >= 0:
                break
            out.append(left.pop(worst))
        return tuple(cluster[place] for place in left)

    def exchange(self, gone: Collection[RollUpSource], roll_up: Embedding) -> None:
        """These are in recall no longer, and what tells of them is. A vector of no length is near
        to nothing."""
        self._vectors[self._known(gone)] = 0
        self._vectors = np.vstack([self._vectors, roll_up[None]])

    def _nearest_to(self, vectors: _Vectors, but: Collection[RollUpSource]) -> _Vectors:
        cosines: _Vectors = self._vectors @ vectors.T
        cosines[self._known(but)] = -1
        nearest: _Vectors = cosines.max(axis=0)
        return nearest

    def _known(self, sources: Collection[RollUpSource]) -> list[int]:
        return [place for each in sources if (place := self._places.get(each.id)) is not None]


def _centre(vectors: _Vectors) -> Embedding:
    mean = vectors.mean(axis=0)
    centre: Embedding = (mean / (float(np.linalg.norm(mean)) or 1.0)).astype(np.float32)
    return centre
