"""What may stay of a forgotten memory: digests that say nothing to who has no key.

A tombstone holds three of them: of the text, by which the same words are known again; its keyed
SimHash, for trivial edits; and a sketch of its vector, for a paraphrase.
"""

from __future__ import annotations

import hashlib
import hmac
import math

import numpy as np
import numpy.typing as npt

from memory.simhash import simhash64

SKETCH_BITS = 512


class Digester:
    """Makes the digests of one key. Each kind has a key of its own that is derived from it."""

    def __init__(self, key: bytes) -> None:
        self._text_key = _derived(key, "text")
        self._simhash_key = _derived(key, "simhash")
        self._sketch_key = _derived(key, "sketch")
        self._planes: dict[int, npt.NDArray[np.float32]] = {}

    def text(self, normalised: str) -> bytes:
        """HMAC-SHA-256, 32 bytes."""
        content = normalised.encode("utf-8", "surrogatepass")
        return hmac.digest(self._text_key, content, hashlib.sha256)

    def simhash(self, normalised: str) -> int:
        """`memory.simhash.simhash64` under the key; compares with those of the same key only."""
        return simhash64(normalised, self._simhash_key)

    def sketch(self, vector: npt.NDArray[np.float32]) -> bytes:
        """On which side of each of 512 secret hyperplanes a vector of shape (dimensions,) lies.

        64 bytes, to compare with `sketch_similarity`. Two sketches show how near their vectors are
        to each other, but without the planes not where either lies. numpy keeps the planes the
        same within one of its versions; sketches are needed for a day.
        """
        sides = self._hyperplanes(len(vector)) @ vector > 0
        return np.packbits(sides).tobytes()

    def _hyperplanes(self, dimensions: int) -> npt.NDArray[np.float32]:
        if dimensions not in self._planes:
            seed = int.from_bytes(_derived(self._sketch_key, str(dimensions)), "big")
            normals = np.random.default_rng(seed).standard_normal(
                (SKETCH_BITS, dimensions), dtype=np.float32
            )
            self._planes[dimensions] = normals
        return self._planes[dimensions]


def sketch_similarity(a: bytes, b: bytes) -> float:
    """The cosine that two sketches of the same key let expect: cos(π · differing bits / bits).

    A random hyperplane parts two vectors with probability angle / π (Goemans and Williamson 1995,
    Charikar 2002). With 512 bits the standard error is 0.01 at a cosine of 0.97, 0.03 at 0.82 and
    0.07 at 0, where it is largest. Raises ValueError for sketches of different lengths.
    """
    if len(a) != len(b) or not a:
        raise ValueError("sketches of one length compare")
    differing = (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).bit_count()
    return math.cos(math.pi * differing / (8 * len(a)))


def _derived(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, purpose.encode(), hashlib.sha256)
