"""What of a memory may stay on its tombstone."""

from __future__ import annotations

import numpy as np

from memory.digests import Digester
from memory.embedders.protocol import Embedding
from memory.store.forgetting.forgetting import Marks
from memory.write.normalise import normalise


class Marker:
    """Makes the keyed digests of a text in its normalised form, and of its vector where it has
    one."""

    def __init__(self, digester: Digester) -> None:
        self._digester = digester

    def __call__(self, content: str, embedding: Embedding | None) -> Marks:
        normalised = normalise(content)
        sketch = None
        if embedding is not None:
            sketch = self._digester.sketch(np.asarray(embedding, dtype=np.float32))
        return Marks(self._digester.text(normalised), self._digester.simhash(normalised), sketch)
