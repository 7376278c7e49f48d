"""Sentence vectors by all-MiniLM-L6-v2, as plain blocking calls."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Tokenizer

from memory.embedders.protocol import Embedding, unit_rows
from memory.encoder import Encoder, TokenIds, load_encoder, load_tokenizer

# The length the model was trained with; the tokenizer leaves out what is beyond it.
TOKENS = 256
# The slowest texts have a few characters a token; more characters only cost time.
CHARACTERS = 8_192


class MiniLM:
    """Tokens first, vectors second, so that a caller can batch by length in between."""

    def __init__(self, tokenizer: Tokenizer, encoder: Encoder) -> None:
        self._tokenizer = tokenizer
        self._encoder = encoder

    def tokenise(self, texts: Sequence[str]) -> list[TokenIds]:
        """At least the two marker tokens and at most 256 tokens for each text."""
        cut = [text[:CHARACTERS] for text in texts]
        return [list(encoding.ids) for encoding in self._tokenizer.encode_batch(cut)]

    def embed(self, batch: Sequence[TokenIds]) -> Embedding:
        """Unit rows, (texts, 384): the mean over each text's own tokens, as the model's
        authors pool it (sentence-transformers/all-MiniLM-L6-v2, 1_Pooling)."""
        hidden, own = self._encoder.run(batch)
        return unit_rows((hidden * own).sum(axis=1) / own.sum(axis=1))


def load_minilm() -> MiniLM:
    """Takes about half a second. Raises ModelFileChanged where a file is not the pinned one."""
    return MiniLM(load_tokenizer(TOKENS), load_encoder())
