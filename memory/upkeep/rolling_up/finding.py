"""Whether what a roll-up tells is still found among all that a recall looks at. No input or output.

A question is nearest to the memory that answers it; so the vector of a memory stands for the
questions about it, and whatever is nearest to that is what they find.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.embedders.protocol import Embedding
from memory.store.upkeep.roll_ups import Source
from memory.upkeep.rolling_up.clustering import Cluster

_Vectors = npt.NDArray[np.float32]


def centre_of(sources: Sequence[Source]) -> Embedding:
    """The mean of their vectors, of unit length."""
    return _centre(np.stack([source.embedding for source in sources]))


class Around:
    """The vectors of unit length of all that is in recall in one space, by their ids; at least
    one."""

    def __init__(self, vectors: Mapping[UUID, Embedding]) -> None:
        self._places = {key: place for place, key in enumerate(vectors)}
        self._vectors: _Vectors = np.stack(list(vectors.values()))

    def together(self, cluster: Cluster, floor: float, gone: Collection[Source] = ()) -> Cluster:
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

    def exchange(self, gone: Collection[Source], roll_up: Embedding) -> None:
        """These are in recall no longer, and what tells of them is. A vector of no length is near
        to nothing."""
        self._vectors[self._known(gone)] = 0
        self._vectors = np.vstack([self._vectors, roll_up[None]])

    def _nearest_to(self, vectors: _Vectors, but: Collection[Source]) -> _Vectors:
        cosines: _Vectors = self._vectors @ vectors.T
        cosines[self._known(but)] = -1
        nearest: _Vectors = cosines.max(axis=0)
        return nearest

    def _known(self, sources: Collection[Source]) -> list[int]:
        return [place for each in sources if (place := self._places.get(each.id)) is not None]


def _centre(vectors: _Vectors) -> Embedding:
    mean = vectors.mean(axis=0)
    centre: Embedding = (mean / (float(np.linalg.norm(mean)) or 1.0)).astype(np.float32)
    return centre
