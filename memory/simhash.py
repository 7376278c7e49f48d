"""SimHash: a fingerprint of 64 bits that small edits of a text hardly change. Pure functions.

Charikar, STOC 2002; with words and pairs of words as Manku, Jain and Das Sarma, WWW 2007.
"""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise

import numpy as np

NEAR = 3
"""Two texts whose SimHashes differ in at most so many bits are near-duplicates (000)."""

_BITS = 64
_ALL_BITS = (1 << _BITS) - 1

# A sign is left out where it is punctuation; "C++" and "C#", "-5" and "5", 👍 and 👎 differ.
_WORD = re.compile(
    r"""\w+(?:'\w+)*                                  # don't
      | (?<!\w)-(?=\d)                                # the minus of a number
      | [^\w\s.,;:!?"'()\[\]{}<>…‐‑‒–—―\-*_~/\\|&]    # any other sign that is no punctuation""",
    re.VERBOSE,
)


def simhash64(normalised: str, key: bytes = b"") -> int:
    """Each word and each pair of neighbours votes with the 64 bits of its BLAKE2b.

    A bit is 1 where most votes are; n words have 2n - 1 votes, so there is no draw. The text is
    to be normalised before (`memory.write.normalise`); one without words votes as a whole. Signed,
    as a PostgreSQL bigint. With a key (64 bytes at most) nobody else can compute it, and hashes of
    two keys do not compare. In a text of one or two words another word changes twenty bits or
    more, in a sentence about seven; from about a hundred words on, three or fewer.
    """
    words = _WORD.findall(normalised) or [normalised]
    features = words + [f"{one} {other}" for one, other in pairwise(words)]
    votes = b"".join(_hash(feature, key) for feature in features)
    ones = np.unpackbits(np.frombuffer(votes, dtype=np.uint8).reshape(len(features), -1), axis=1)
    bits = np.packbits(2 * ones.sum(axis=0, dtype=np.int64) > len(features))
    return int.from_bytes(bits.tobytes(), "big", signed=True)


def hamming(a: int, b: int) -> int:
    """In how many of their 64 bits two SimHashes differ."""
    return ((a ^ b) & _ALL_BITS).bit_count()


def _hash(feature: str, key: bytes) -> bytes:
    return hashlib.blake2b(
        feature.encode("utf-8", "surrogatepass"), digest_size=_BITS // 8, key=key
    ).digest()
