"""Keys, tokens and secrets that are called by their name: "api_key = …", "the token is …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import IS, WHOSE, has_one
from memory.secrets.randomness import words_share
from memory.secrets.scanning import scan
from memory.secrets.secret import Kind, Secret

_KEY = re.compile(
    rf"""(?<![A-Za-z])
      (?:(?P<key>(?i:api[\s_-]?keys?|api[\s_-]?(?:secret|token)s?|access[\s_-]?keys?(?:[\s_-]id)?
            |secret[\s_-]?(?:access[\s_-]?)?keys?|(?:private|encryption|signing|account|auth
            |authentication|client|license|licence|product|recovery|master)[\s_-]?keys?
            |(?:recovery|backup)[\s_-]codes?))
        |(?P<token>(?i:(?:[a-z]{{2,20}}[\s_-])?tokens?))
        |(?P<secret>(?i:(?:client|webhook|signing|shared|app|jwt)[\s_-]?secrets?|secrets?)))
      {WHOSE}{IS}[\"'“`]?(?P<value>[^\s\"'“”`<>,;&]{{6,4096}})""",
    re.VERBOSE,
)
# No verb between them: "secret wJalrXUt…".
_KEY_BESIDE = re.compile(
    r"(?<![^\W_])(?i:keys?|tokens?|secrets?)\s{1,3}[\"'“`(]?(?P<value>[A-Za-z0-9+/=_.~-]{16,512})"
)
_MOST_IN_WORDS = 0.45
_LEAST_GROUPS = 3
_KINDS: dict[str, Kind] = {"key": "API key", "token": "access token", "secret": "secret"}
_LEAST_RANDOM = 10
_CLOSING = ".,;:!?)]}"
_SIGNS_OF_A_KEY = ("key", "token", "secret", "code")


def named_keys(text: str) -> Iterator[Secret]:
    """API keys, tokens and secrets by name, whose value looks like one."""
    if not has_one(_SIGNS_OF_A_KEY, text):
        return
    for match in scan(_KEY, text):
        name = next(name for name in _KINDS if match[name])
        value = match["value"].rstrip(_CLOSING)
        if _looks_like_a_key(value) and (match["key"] or match["sign"] or _is_random(value)):
            start = match.start("value")
            yield Secret(_KINDS[name], start, start + len(value))
    yield from _keys_beside(text)


def _keys_beside(text: str) -> Iterator[Secret]:
    for match in scan(_KEY_BESIDE, text):
        value = match["value"].rstrip(_CLOSING)
        if _is_mixture(value):
            start = match.start("value")
            yield Secret("secret", start, start + len(value))


def _is_mixture(value: str) -> bool:
    """Capitals, small letters and digits as chance mixes them, or letters and digits in turn."""
    if re.fullmatch("[0-9a-fA-F-]+", value) or not _looks_like_a_key(value):
        return False
    both = re.search("[a-z]", value) and re.search("[A-Z]", value)
    in_turn = len(re.findall("[0-9]+", value)) >= _LEAST_GROUPS and not re.search("[-_./]", value)
    return words_share(value) < _MOST_IN_WORDS if both else in_turn


def _is_random(value: str) -> bool:
    """Where only "the token is" says so: letters and digits must alternate over some length."""
    return len(value) >= _LEAST_RANDOM and len(re.findall("[0-9]+", value)) > 1


def _looks_like_a_key(value: str) -> bool:
    """Letters and digits together, and no name, call, path or version of something."""
    if re.match(r"[$<{%\[(/]|[\w.]+[\[(]|v?[0-9]+(?:\.[0-9]+)+$|[0-9]{1,4}[-/.][0-9]", value):
        return False
    return bool(re.search("[A-Za-z]", value)) and bool(re.search("[0-9]", value))
