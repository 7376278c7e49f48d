"""The secrets of a text, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from memory.secrets.account_numbers import find_bank_accounts, find_cards, find_identity_numbers
from memory.secrets.keys import find_keys, find_named_keys, find_random_tokens
from memory.secrets.passwords import (
    find_codes,
    find_command_line_passwords,
    find_foreign_passwords,
    find_logins,
    find_passwords,
)
from memory.secrets.patterns import SECRET_KINDS, Secret, SecretKind
from memory.text import MAX_READ_CHARS
from memory.understanding.encoded_text import encode_text
from memory.understanding.multilingual_encoder import load_multilingual_encoder
from memory.understanding.secret_values import REMOVED, find_secret_values

Guess: TypeAlias = Callable[[str, Sequence[Secret]], Iterable[Secret]]
# Where two find the same, the first says what it is.
_DETECTORS: tuple[Callable[[str], Iterable[Secret]], ...] = (
    find_keys,
    find_cards,
    find_identity_numbers,
    find_bank_accounts,
    find_codes,
    find_named_keys,
    find_passwords,
    find_foreign_passwords,
    find_logins,
    find_command_line_passwords,
    find_random_tokens,
)
_MARK = re.compile(rf"\[(?:{'|'.join(SECRET_KINDS)}) removed\]")
# What the encoder has to say of a word's tokens on average, and where it is a plain one: see the
# decision.
_HEARD_FROM, _PLAIN_FROM = 0.55, 0.9
# What has a form of its own, whatever stands around it: an address, a number as a machine writes
# it, such as a commit's or a row's, and a public key.
_FORMED = re.compile(
    r"(?:https?://|www\.)\S+|\b[0-9a-f]{12,}\b|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|\bssh-[a-z0-9-]{2,20} \S+",
    re.IGNORECASE,
)
# Signs of the full-width form and digits of any script, each as the one of ASCII it stands for.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_OTHER_DIGIT = re.compile(r"[^\D0-9]")


def find_secrets(text: str) -> list[Secret]:
    """Every secret of the text in its order, none overlapping another. Blocking: the encoder reads
    the text, some 10 ms a sentence."""
    return _found(text, (_by_words, _heard))


# What stands in no plain words with the marks of a sentence.
_UNLIKE_WORDS = re.compile(r"[^\w\s.,!?]|[\d_]")


def find_sure_secrets(text: str) -> list[Secret]:
    """Those that their form gives away, or a name beside them; the others are guessed from the
    words around them."""
    # Line ends in place of a mark: nothing is found in it, and no words reach across.
    unmarked = _MARK.sub(lambda mark: "\n" * len(mark[0]), text)
    unmarked = _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), unmarked.translate(_WIDE))
    found = [
        (secret.start, rank, secret)
        for rank, detect in enumerate(_DETECTORS)
        for secret in detect(unmarked)
    ]
    return list(_apart(found))


def find_secrets_quickly(text: str) -> list[Secret]:
    """Without the encoder, for many texts that were heard when they were told."""
    return _found(text, (_by_words,))


def _found(text: str, guesses: Iterable[Guess]) -> list[Secret]:
    by_form = find_sure_secrets(text)
    guessed = [(each.start, 0, each) for guess in guesses for each in guess(text, by_form)]
    return sorted((*by_form, *_apart(guessed)), key=lambda secret: secret.start)


def _heard(text: str, by_form: Sequence[Secret]) -> Iterator[Secret]:
    """What the encoder hears; nothing in a text that is not read whole, or of one word."""
    if len(text) > MAX_READ_CHARS or len(text.split(maxsplit=1)) <= 1:
        return
    formed = (each.span() for form in (_MARK, _FORMED) for each in form.finditer(text))
    taken = [*((each.start, each.end) for each in by_form), *formed]
    encoded = encode_text(text, load_multilingual_encoder())
    for (start, end), share in encoded.runs("secret", _HEARD_FROM):
        is_free = not any(start < to and end > since for since, to in taken)
        is_plain = not _UNLIKE_WORDS.search(text[start:end])
        is_sure = share >= (_PLAIN_FROM if is_plain else _HEARD_FROM)
        if is_free and is_sure and any(map(str.isalnum, text[start:end])):
            yield Secret(_kind(text[start:end]), start, end)


def _blank(mark: re.Match[str]) -> str:
    return REMOVED * len(mark[0])


def _without(text: str, found: Iterable[Secret]) -> str:
    """As long as before, so that what is found in the rest stands where it stood."""
    parts, end = [], 0
    for secret in found:
        parts += [text[end : secret.start], REMOVED * (secret.end - secret.start)]
        end = secret.end
    return "".join([*parts, text[end:]])


def _by_words(text: str, by_form: Sequence[Secret]) -> Iterator[Secret]:
    """What no form gives away: the words around it say that it is a code or a password."""
    for start, end in find_secret_values(_MARK.sub(_blank, _without(text, by_form))):
        yield Secret(_kind(text[start:end]), start, end)


def _kind(value: str) -> SecretKind:
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    return "password" if letters > digits else "code"


def redact(text: str) -> str:
    """The text with [password removed] and the like in place of each secret.

    Nothing is found in what comes out, so doing it twice changes nothing.
    """
    while found := find_sure_secrets(text) or find_secrets(text):
        text = _replaced(text, found)
    return text


def redact_quickly(text: str) -> str:
    """Without the encoder, where many texts are shown or embedded that were heard when they came
    in."""
    while found := find_secrets_quickly(text):
        text = _replaced(text, found)
    return text


def is_redacted(text: str) -> bool:
    return _MARK.search(text) is not None


def restore(words: str, text: str) -> str | None:
    """The redacted words as they stood in the text; None where these are not all of its secrets."""
    said = iter([text[each.start : each.end] for each in find_secrets(text)])
    restored = _MARK.sub(lambda mark: next(said, mark[0]), words)
    return None if next(said, None) is not None or _MARK.search(restored) else restored


def _replaced(text: str, found: Iterable[Secret]) -> str:
    parts, end = [], 0
    for secret in found:
        parts += [text[end : secret.start], secret.mark]
        end = secret.end
    return "".join([*parts, text[end:]])


def _apart(found: list[tuple[int, int, Secret]]) -> Iterator[Secret]:
    """Overlapping ones as one, of the kind whose detector comes first."""
    rank, current = 0, None
    for start, each_rank, secret in sorted(found, key=lambda each: each[:2]):
        if current is None or start >= current.end:
            if current is not None:
                yield current
            rank, current = each_rank, secret
        else:
            kind = secret.kind if each_rank < rank else current.kind
            rank = min(rank, each_rank)
            current = Secret(kind, current.start, max(current.end, secret.end))
    if current is not None:
        yield current
