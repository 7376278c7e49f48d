"""Long tokens that nobody would write by hand, whatever they are for."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from memory.secrets.secret import Secret

_LEAST_LENGTH = 32
_LEAST_BITS = 3.8  # a character; 32 random letters and digits have 4.4 on average, words 3.5
_LEAST_DIGIT_GROUPS = 2
_LEAST_OF_A_CASE = 4
_LEAST_UNBROKEN = 16
_MOST_IN_WORDS = 0.45  # of the characters; chance gives a third, TestUserCanLogIn nine tenths

_WORD = re.compile("[A-Z]?[a-z]{2,}")
_TOKEN = re.compile(rf"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{{{_LEAST_LENGTH},}}={{0,2}}")
_WEB_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)
# A path, a checksum, a public key, a picture in the text.
_NO_SECRET = re.compile(
    r"(?i:sha(?:1|256|384|512)[-:=]|md5[-:=])|[A-Za-z0-9_-]{0,40}/[a-z0-9_-]{1,20}/"
)
_PUBLIC_BEFORE = re.compile(
    r"(?:ssh-[a-z0-9-]{2,20} |ecdsa-[a-z0-9-]{2,20} |base64,|(?i:sha[0-9]{1,3}|md5)[-:]|[.~])$"
)
_LOOK_BACK = 32


def random_tokens(text: str) -> Iterator[Secret]:
    """32 characters or more of both cases and digits, mixed as chance mixes them.

    Hexadecimal ones are left alone: nearly all are commits, checksums and ids. So are web
    addresses, paths, checksums and public keys.
    """
    text = _WEB_ADDRESS.sub(lambda address: " " * len(address[0]), text)
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if _PUBLIC_BEFORE.search(text[max(0, start - _LOOK_BACK) : start]):
            continue
        if is_random(match[0]):
            yield Secret("secret", start, end)


def is_random(token: str) -> bool:
    """Shannon's entropy of its characters, its mixture and its longest unbroken part say so."""
    if _NO_SECRET.match(token):
        return False
    groups = len(re.findall("[0-9]+", token))
    mixed = (
        (groups >= _LEAST_DIGIT_GROUPS or (groups > 0 and words_share(token) < _MOST_IN_WORDS))
        and len(re.findall("[a-z]", token)) >= _LEAST_OF_A_CASE
        and len(re.findall("[A-Z]", token)) >= _LEAST_OF_A_CASE
    )
    unbroken = max(map(len, re.split("[/_=+-]", token)))
    return mixed and unbroken >= _LEAST_UNBROKEN and _bits_a_character(token) >= _LEAST_BITS


def words_share(token: str) -> float:
    """The share of its characters that stand in what could be words, between 0 and 1."""
    return sum(map(len, _WORD.findall(token))) / len(token)


def _bits_a_character(token: str) -> float:
    counts = Counter(token).values()
    return -sum(n / len(token) * math.log2(n / len(token)) for n in counts)
