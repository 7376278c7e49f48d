"""What texts are compared by without their words: SimHash, and keyed digests.

SimHash is a fingerprint of 64 bits that small edits of a text hardly change: Charikar, STOC 2002;
with words and pairs of words as Manku, Jain and Das Sarma, WWW 2007. Pure functions.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
from itertools import pairwise

import numpy as np
import numpy.typing as npt

NEAR_DUPLICATE_BITS = 3
"""Two texts whose SimHashes differ in at most so many bits are near-duplicates (000)."""

_BITS = 64
_ALL_BITS = (1 << _BITS) - 1

# A sign is left out where it is punctuation; "C++" and "C#", "-5" and "5", 👍 and 👎 differ.
_SIMHASH_WORD = re.compile(
    r"""\w+(?:'\w+)*                                  # don't
      | (?<!\w)-(?=\d)                                # the minus of a number
      | [^\w\s.,;:!?"'()\[\]{}<>…‐‑‒–—―\-*_~/\\|&]    # any other sign that is no punctuation""",
    re.VERBOSE,
)


def simhash64(normalised: str, key: bytes = b"") -> int:
    """Each word and each pair of neighbours votes with the 64 bits of its BLAKE2b.

    A bit is 1 where most votes are; n words have 2n - 1 votes, so there is no draw. The text is
    to be normalised before (`memory.ingestion.normalisation`); one without words votes as a whole.
    Signed, as a PostgreSQL bigint. With a key (64 bytes at most) nobody else can compute it, and
    hashes of two keys do not compare. In a text of one or two words another word changes twenty
    bits or more, in a sentence about seven; from about a hundred words on, three or fewer.
    """
    words = _SIMHASH_WORD.findall(normalised) or [normalised]
    features = words + [f"{one} {other}" for one, other in pairwise(words)]
    votes = b"".join(_hash(feature, key) for feature in features)
    ones = np.unpackbits(np.frombuffer(votes, dtype=np.uint8).reshape(len(features), -1), axis=1)
    bits = np.packbits(2 * ones.sum(axis=0, dtype=np.int64) > len(features))
    return int.from_bytes(bits.tobytes(), "big", signed=True)


def hamming_distance(a: int, b: int) -> int:
    """In how many of their 64 bits two SimHashes differ."""
    return ((a ^ b) & _ALL_BITS).bit_count()


def _hash(feature: str, key: bytes) -> bytes:
    return hashlib.blake2b(
        feature.encode("utf-8", "surrogatepass"), digest_size=_BITS // 8, key=key
    ).digest()


SKETCH_BITS = 512


class KeyedDigester:
    """Makes the digests of one key, which say nothing to who does not have it. Each kind has a key
    of its own that is derived from it."""

    def __init__(self, key: bytes) -> None:
        self._text_key = _derive_key(key, "text")
        self._simhash_key = _derive_key(key, "simhash")
        self._sketch_key = _derive_key(key, "sketch")
        self._planes: dict[int, npt.NDArray[np.float32]] = {}

    def text(self, normalised: str) -> bytes:
        """HMAC-SHA-256, 32 bytes."""
        content = normalised.encode("utf-8", "surrogatepass")
        return hmac.digest(self._text_key, content, hashlib.sha256)

    def simhash(self, normalised: str) -> int:
        """`simhash64` under the key; compares with those of the same key only."""
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
            seed = int.from_bytes(_derive_key(self._sketch_key, str(dimensions)), "big")
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


def _derive_key(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, purpose.encode(), hashlib.sha256)
