"""Sentence vectors in the languages of Europe: multilingual-e5-small, fitted to questions and
memories by `python -m eval.training embedder`; see docs/decisions/0003-local-embedder.md. Blocking
calls.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from memory.package_files import open_network
from memory.understanding.multilingual_encoder import (
    UNKNOWN,
    Array,
    MultilingualEncoder,
    load_multilingual_encoder,
    text_input,
)

SENTENCE_LAYERS_FILE = Path(__file__).with_name("sentence_encoder.onnx")
SENTENCE_PLACES_FILE = Path(__file__).with_name("sentence_encoder.npz")
# What the model expects before a text that is asked and before one that may answer.
QUERY, PASSAGE = "query: ", "passage: "
SENTENCE_TOKENS = 256
# The slowest texts have a few characters a token; more characters only cost time.
_MAX_CHARACTERS = 8_192
# Pieces before this are marks, and parts of words that stand in most.
_FIRST_WORD = 1_000


@dataclass(frozen=True)
class SentenceEncoder:
    """Has the tokenizer and the vectors of pieces in common with what reads messages."""

    encoder: MultilingualEncoder

    def embed(self, texts: Sequence[str]) -> Array:
        """Unit rows, (texts, 384), the mean over each text's first 256 tokens; some 7 ms for a text
        of twenty words. Each begins with QUERY or PASSAGE."""
        hidden = self.encoder.run([text_input(self._ids(each)) for each in texts])
        rows = np.stack([each.mean(axis=0) for each in hidden])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def _ids(self, text: str) -> list[int]:
        """With the piece that its letters fall to in the place of what is not known: else all that
        is written in other letters than Latin would be the same."""
        found = self.encoder.tokens(text[:_MAX_CHARACTERS])
        known = len(self.encoder.words) - _FIRST_WORD
        return [
            _FIRST_WORD + zlib.crc32(text[start:end].casefold().encode()) % known
            if each == UNKNOWN
            else each
            for each, (start, end) in zip(found.ids, found.offsets, strict=True)
        ][:SENTENCE_TOKENS]


def load_sentence_encoder() -> SentenceEncoder:
    """Takes half a second."""
    with np.load(SENTENCE_PLACES_FILE) as stored:
        places, types = (stored[name].astype(np.float32) for name in ("places", "types"))
    session = open_network(SENTENCE_LAYERS_FILE.read_bytes())
    whole = load_multilingual_encoder()
    return SentenceEncoder(replace(whole, session=session, places=places, types=types))
