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
from memory.store.roll_ups import Source
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
        self._there = np.ones(len(vectors), dtype=bool)

    def together(self, cluster: Cluster, floor: float, gone: Collection[Source] = ()) -> Cluster:
        """Those of a cluster for each of which their centre is what is nearest to it: it has with
        that a cosine of `floor`, and with no memory outside a higher one. What is furthest from it
        goes first, and is outside from then on; what is `gone` is never.
        """
        vectors = np.stack([source.embedding for source in cluster])
        cosines: _Vectors = vectors @ self._vectors.T
        cosines[:, ~self._there] = -1
        cosines[:, self._known(gone)] = -1
        left = list(range(len(cluster)))
        while left:
            beside = cosines[left]
            beside[:, self._known([cluster[place] for place in left])] = -1
            nearest = np.maximum(beside.max(axis=1), floor)
            ahead = vectors[left] @ _centre(vectors[left]) - nearest
            if ahead.min() >= 0:
                break
            del left[int(ahead.argmin())]
        return tuple(cluster[place] for place in left)

    def exchange(self, gone: Collection[Source], roll_up: Embedding) -> None:
        """These are in recall no longer, and what tells of them is."""
        self._there[self._known(gone)] = False
        self._vectors = np.vstack([self._vectors, roll_up[None]])
        self._there = np.append(self._there, True)

    def _known(self, sources: Collection[Source]) -> list[int]:
        return [place for each in sources if (place := self._places.get(each.id)) is not None]


def _centre(vectors: _Vectors) -> Embedding:
    mean = vectors.mean(axis=0)
    centre: Embedding = (mean / (float(np.linalg.norm(mean)) or 1.0)).astype(np.float32)
    return centre
