"""The secrets of a text, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

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
from memory.understanding.secret_values import REMOVED, find_secret_values

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
# Signs of the full-width form and digits of any script, each as the one of ASCII it stands for.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_OTHER_DIGIT = re.compile(r"[^\D0-9]")


def find_secrets(text: str) -> list[Secret]:
    """Every secret of the text in its order, none overlapping another."""
    by_form = find_sure_secrets(text)
    by_words = _by_words(_MARK.sub(_blank, _without(text, by_form)))
    return sorted((*by_form, *by_words), key=lambda secret: secret.start)


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


def _blank(mark: re.Match[str]) -> str:
    return REMOVED * len(mark[0])


def _without(text: str, found: Iterable[Secret]) -> str:
    """As long as before, so that what is found in the rest stands where it stood."""
    parts, end = [], 0
    for secret in found:
        parts += [text[end : secret.start], REMOVED * (secret.end - secret.start)]
        end = secret.end
    return "".join([*parts, text[end:]])


def _by_words(text: str) -> Iterator[Secret]:
    """What no form gives away: the words around it say that it is a code or a password."""
    for start, end in find_secret_values(text):
        yield Secret(_kind(text[start:end]), start, end)


def _kind(value: str) -> SecretKind:
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    return "password" if letters > digits else "code"


def redact(text: str) -> str:
    """The text with [password removed] and the like in place of each secret.

    Nothing is found in what comes out, so doing it twice changes nothing.
    """
    while found := find_secrets(text):
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
