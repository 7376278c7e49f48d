"""A text as hashed word and character n-grams, on which linear heads stand. Pure."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

BUCKETS = 2**13
# Words and pairs of them; within a word, with its ends, three to five characters.
_WORDS, _CHARACTERS = (1, 2), (3, 4, 5)
_TOKEN = re.compile(r"\w+(?:'\w+)*|[^\w\s]")
_DIGIT = re.compile(r"\d")
_QUOTES = str.maketrans({**dict.fromkeys("‘’´`ʼ", "'"), **dict.fromkeys("“”„«»", '"')})


def buckets(text: str) -> npt.NDArray[np.intp]:
    """The buckets of all its n-grams, each once, in order."""
    hashed = {zlib.crc32(gram.encode("utf-8", "surrogatepass")) % BUCKETS for gram in ngrams(text)}
    return np.array(sorted(hashed), dtype=np.intp)


def words(text: str) -> list[str]:
    """Its words and marks, folded."""
    return _TOKEN.findall(fold(text))


def ngrams(text: str) -> Iterator[str]:
    """Of its words and pairs of them, and of the characters within a word."""
    tokens = words(text)
    yield from _word_ngrams(["^", *tokens, "$"])
    for token in tokens:
        yield from character_ngrams(f" {token} ")


def _word_ngrams(tokens: list[str]) -> Iterator[str]:
    for size in _WORDS:
        for at in range(len(tokens) - size + 1):
            yield f"w{size} {' '.join(tokens[at : at + size])}"


def character_ngrams(token: str, sizes: tuple[int, ...] = _CHARACTERS) -> Iterator[str]:
    for size in sizes:
        for at in range(len(token) - size + 1):
            yield f"c{token[at : at + size]}"


def fold(text: str) -> str:
    """Without case and compatibility forms, every digit a 0."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return _DIGIT.sub("0", folded)
