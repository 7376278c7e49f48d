"""Passwords that are called so: "the wifi password is …", "X is my password"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import IS, NAMES, WHOSE, has_one, is_likely_password, is_strong_alone
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret
from memory.secrets.wording import is_strong, value_at

_PASSWORD_IS = re.compile(f"{NAMES}{WHOSE}{IS}")
_STRONG_BESIDE = (
    re.compile(rf"{NAMES}\s(?:(?i:to|as|of|from)\s)?(?=\S)"),
    re.compile(rf"{NAMES}(?:\s\S{{1,40}}){{1,4}}?\s(?i:to)\s(?=\S)"),  # on the router to …
    re.compile(r"(?<![A-Za-z])[Pp]ass\s?[:=]\s?(?=\S)"),
)
# "… is the name of my first dog, Fido123"; "I have a new password. It is Fido123".
_DESCRIBED = re.compile(
    rf"{NAMES}{WHOSE}(?:\s(?i:is|was)|['’]s)\s"
    r"(?i:the|my|our|his|her|their|a|an|just|still|like|based|made|something|what|one)\s"
    r"[^\n.!?,:;(–—]{2,80}(?:[,:;–—]|\s-|\s\(|\s[–—])\s?"
    r"(?:(?i:so|namely|thus|i\.e\.|which\sis|that\sis|it\sis|it['’]s|that['’]s),?\s)?(?=\S)"
)
_SAID_AFTER = re.compile(
    rf"{NAMES}[^\n.!?]{{0,60}}[.!?…,;:–-]?\s{{1,3}}"
    r"(?i:it|that|this|the\snew\sone|mine)(?:\s(?i:is|was)|['’]s)(?:\s(?i:now|called))?:?\s{1,2}(?=\S)"
)
_STRONG_BEFORE = re.compile(
    r"(?<!\S)[\"'“‘`]?(?P<value>\S{4,64}?)[\"'”’`]?\s(?i:is|was|as|for)\s(?i:my|our|the|your|his|her|their|a|an|new)\s"
    r"(?:[\w'’-]{1,30}\s){0,3}?(?i:password|passcode|passphrase|(?P<pin>pin))\b(?!\s(?i:manager|app))"
)
_SEED_PHRASE = re.compile(
    rf"(?i:(?:seed|recovery|secret|backup)\s(?:phrase|words)|mnemonic(?:\s(?:phrase|words))?){WHOSE}{IS}[\"'“]?"
    r"((?:[a-z]{3,8}[\s,]{1,2}){11,23}[a-z]{3,8})(?![a-z])"  # BIP 39: 12 to 24 words
)
_NEXT = re.compile(r",?\s(?:and|or)\s|,\s")
# One of these stands in every text that can match; looking for them first is far cheaper.
_SIGNS_OF_A_PASSWORD = ("pass", "pwd", "kennwort", "key", "phrase", "mnemonic", "words", "pin")


def passwords(text: str) -> Iterator[Secret]:
    """What is named a password, in both orders: "the password is X" and "X is the password"."""
    if not has_one(_SIGNS_OF_A_PASSWORD, text):
        return
    for match in scan(_PASSWORD_IS, text):
        span = value_at(text, match.end())
        if span and not (match["next_line"] and not is_strong(text[slice(*span)])):
            yield Secret("password", *span)
            yield from _more_passwords(text, span[1])
    for match in scan(_SEED_PHRASE, text):
        yield Secret("password", *match.span(match.lastindex or 0))
    yield from _strong_ones(text)


def _strong_ones(text: str) -> Iterator[Secret]:
    """Where no verb says so, only what cannot be a word counts."""
    for pattern in _STRONG_BESIDE:
        for match in scan(pattern, text):
            span = value_at(text, match.end())
            if span and is_strong_alone(text[slice(*span)]):
                yield Secret("password", *span)
    for pattern in (_DESCRIBED, _SAID_AFTER):
        for match in scan(pattern, text):
            span = value_at(text, match.end())
            if span and is_likely_password(text[slice(*span)]):
                yield Secret("password", *span)
    for match in scan(_STRONG_BEFORE, text):
        if is_strong(match["value"]):
            yield Secret("PIN" if match["pin"] else "password", *match.span("value"))


def _more_passwords(text: str, end: int) -> Iterator[Secret]:
    """ "… and hunter3", for as long as letters and digits show that it is another."""
    while following := _NEXT.match(text, end):
        span = value_at(text, following.end())
        if span is None or not is_strong_alone(text[slice(*span)]):
            return
        yield Secret("password", *span)
        end = span[1]
