"""The encoder that all reading stands on: it sees a message whole, or an older text beside a newer.

A multilingual encoder whose layers were trained for this program, with the heads on it; weights by
`python -m eval.training` (docs/decisions/0025-offline-reader.md). Blocking calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from memory.package_files import LoadedOnce, open_network

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

LAYERS_FILE = Path(__file__).parent / "reader.onnx"
WORDS_FILE = Path(__file__).parent / "reader.npz"
# TextTokens of a text that are seen at once, and of each text of a pair.
TOKENS, PAIR_TOKENS = 190, 60
WORD_PIECES = 16
WIDTH = 384
START, PADDING, END, UNKNOWN = 0, 1, 2, 3
_BLOCK = 32
Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class TextTokens:
    """A text in pieces of words: their numbers, and where each stands in the text."""

    ids: list[int]
    offsets: list[tuple[int, int]]


@dataclass(frozen=True)
class EncoderInput:
    """What the encoder reads at once: ids with their special ones, and to which of two texts each
    belongs."""

    ids: list[int]
    types: list[int]


@dataclass(frozen=True, eq=False)
class MultilingualEncoder:
    """`words` are the packed vectors of the pieces, `places` those of the positions, `types` those
    of the two texts of a pair; `heads` are kernels and biases by name."""

    tokenizer: Tokenizer
    session: InferenceSession
    words: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.float16]
    places: Array
    types: Array
    heads: Mapping[str, Array]

    def tokens(self, text: str) -> TextTokens:
        """Of a very long word, such as an address, the first pieces, the last of which stands for
        the rest of it: all of them would drown what is said around it."""
        found = self.tokenizer.encode(text, add_special_tokens=False)
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        pieces = zip(found.word_ids, found.ids, found.offsets, strict=True)
        for _, word in groupby(pieces, itemgetter(0)):
            whole = list(word)
            ids += [each for _, each, _ in whole[:WORD_PIECES]]
            offsets += [each for _, _, each in whole[:WORD_PIECES]]
            offsets[-1] = offsets[-1][0], whole[-1][2][1]
        return TextTokens(ids, offsets)

    def run(self, rows: Sequence[EncoderInput]) -> list[Array]:
        """For each row what stands for its tokens, (tokens, WIDTH). One after the other: the layers
        round over all that they see at once, and a row is not to depend on those beside it."""
        return [self._run(each) for each in rows]

    def head(self, name: str, vectors: Array) -> Array:
        """The logits of a head, (…, labels)."""
        return np.asarray(vectors @ self.heads[f"{name}.kernel"] + self.heads[f"{name}.bias"])

    def _run(self, row: EncoderInput) -> Array:
        length = len(row.ids)
        embedded = self._vectors(np.array(row.ids)) + self.places[:length] + self.types[row.types]
        away = np.zeros((1, 1, 1, length), np.float32)
        told = self.session.run(None, {"embedded": embedded[None], "away": away})
        return np.asarray(told[0][0])

    def _vectors(self, ids: npt.NDArray[Any]) -> Array:
        return unpack_vectors(self.words[ids], self.scales[ids])


def pack_vectors(vectors: Array) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """(pieces, WIDTH) as 4 bits each, with a scale for each _BLOCK of them."""
    blocks = vectors.reshape(len(vectors), -1, _BLOCK)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(-1)[..., None], -1)
    scales = (largest / -8).astype(np.float16)
    steps = np.divide(blocks, scales, out=np.zeros_like(blocks), where=scales != 0)
    halves = np.clip(np.rint(steps) + 8, 0, 15).astype(np.uint8)
    low, high = halves[..., : _BLOCK // 2], halves[..., _BLOCK // 2 :]
    return (low | high << 4).reshape(len(vectors), -1), scales[..., 0]


def unpack_vectors(words: npt.NDArray[np.uint8], scales: npt.NDArray[np.float16]) -> Array:
    blocks = words.reshape(*words.shape[:-1], -1, _BLOCK // 2)
    halves = np.concatenate([blocks & 15, blocks >> 4], axis=-1).astype(np.float32) - 8
    told = halves * scales[..., None].astype(np.float32)
    return np.asarray(told.reshape(*words.shape[:-1], -1), np.float32)


def text_input(ids: Sequence[int]) -> EncoderInput:
    return EncoderInput([START, *ids, END], [0] * (len(ids) + 2))


def pair_input(older: Sequence[int], newer: Sequence[int]) -> EncoderInput:
    types = [0] * (len(older) + 2) + [1] * (len(newer) + 2)
    return EncoderInput([START, *older, END, END, *newer, END], types)


def pooled_pair(hidden: Array, row: EncoderInput) -> Array:
    """(3 · WIDTH,): the means of both texts, and what stands for the pair."""
    types = np.array(row.types)
    means = [hidden[types == which].mean(axis=0) for which in (0, 1)]
    return np.concatenate([*means, hidden[0]])


@LoadedOnce
def load_multilingual_encoder() -> MultilingualEncoder:
    """Read once, in a third of a second."""
    with np.load(WORDS_FILE) as stored:
        parts = {name: stored[name] for name in stored.files}
    pieces = parts["pieces"].tobytes().decode().split("\n")
    heads = {name: values for name, values in parts.items() if name.startswith("head.")}
    return MultilingualEncoder(
        tokenizer=make_unigram_tokenizer(pieces, parts["scores"].astype(float).tolist()),
        session=open_network(LAYERS_FILE.read_bytes()),
        words=parts["words"],
        scales=parts["scales"],
        places=parts["places"].astype(np.float32),
        types=parts["types"].astype(np.float32),
        heads={name.removeprefix("head."): each.astype(np.float32) for name, each in heads.items()},
    )


def make_unigram_tokenizer(pieces: Sequence[str], scores: Sequence[float]) -> Tokenizer:
    vocabulary = list(zip(pieces, scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=UNKNOWN, byte_fallback=False))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    return tokenizer
