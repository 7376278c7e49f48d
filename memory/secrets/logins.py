"""A password beside the name it belongs to: "log in as kari with …", "my login is kari / …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memory.secrets.naming import IS, WHOSE, has_one, is_likely_password
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret
from memory.secrets.wording import is_strong, value_at

_SHORT = r"(?<![^\W_])(?i:pw|psw|pswd|pword|passwrd)"
_SHORT_IS = re.compile(f"{_SHORT}{WHOSE}{IS}")
_PASS_IS = re.compile(rf"(?<![^\W_])(?i:pass){WHOSE}{IS}")
_SHORT_BESIDE = re.compile(rf"{_SHORT}\s(?=\S)")
# A pass that opens gates, not accounts.
_OTHER_PASS = re.compile(
    r"\b(?i:ski|lift|boarding|bus|train|rail|tram|ferry|season|day|week|month(?:ly)?|annual|press"
    r"|hall|travel|mountain|gym|museum|parking|festival|backstage|visitor|transit|metro|free|game"
    r"|battle|park|toll|swim|high|low|first|second|next)['’]?s?[\s-]$"
)
_LOOK_BACK = 14

_NAME = r"[\"'“‘`]?[^\s/|,;]{2,64}?[\"'”’`]?"
_LOGIN_IS = re.compile(
    r"(?<![^\W_])(?i:log-?ins?|logon|credentials?|creds|sign-?in)(?:\s(?i:details|info|data))?"
    rf"{WHOSE}(?:\s(?i:is|are|was|were)|['’]s)?\s?[:=]?\s{_NAME}"
    r"(?:\s?[/|,;:]\s?|\s(?i:and|with|then|-|–)\s)(?=\S)"
)
_USER_IS = re.compile(
    r"(?<![^\W_])(?i:user(?:\s?name|\s?id)?|account|e-?mail)(?:\s(?i:is))?\s?[:=]?\s"
    rf"{_NAME}(?:\s?[/|]\s?|,?\s(?i:and|with)\s|,?\s(?:(?i:and)\s)?(?i:pass)\s?[:=]?\s?)(?=\S)"
)
# With "as" comes a name; with "with" only an address or what a stroke sets apart is surely one.
_LOG_IN = re.compile(
    r"(?<![^\W_])(?i:log(?:ged|ging)?|sign(?:ed|ing)?)(?:\s?(?i:in|on|into|onto))?"
    r"(?:\s[^\s,;]{1,40}){0,5}?\s"
    rf"(?:(?i:as)\s(?:(?i:user(?:name)?)\s)?{_NAME}(?:\s?[/|,;:]\s?|,?\s(?i:and|with|using|then)\s)"
    r"|(?i:with|using|by)\s(?:[^\s/|,;@]{1,64}@[^\s/|,;]{1,64}(?:\s?[/|,;:]\s?|,?\s(?i:and|with|then)\s)"
    rf"|{_NAME}\s?[/|]\s?))(?:(?i:my|the)\s)?(?=\S)"
)
_SIGNS = (
    "pass",
    "pw",
    "psw",
    "pword",
    "log",
    "sign",
    "cred",
    "user",
    "account",
    "mail",
    "ssh",
    "connect",
)
_KINDS_OF_SIGN = ("[a-z]", "[A-Z]", "[0-9]", r"[^\w\s]")
_LEAST_KINDS = 3


def logins(text: str) -> Iterator[Secret]:
    """Passwords called by a short name, or standing behind a user's name."""
    if not has_one(_SIGNS, text):
        return
    for match in scan(_SHORT_IS, text):
        yield from _value(text, match.end(), bool if match["sign"] else is_strong)
    for match in scan(_PASS_IS, text):
        if not _OTHER_PASS.search(text[max(0, match.start() - _LOOK_BACK) : match.start()]):
            yield from _value(text, match.end(), is_likely_password)
    for pattern in (_SHORT_BESIDE, _LOGIN_IS, _LOG_IN):
        for match in scan(pattern, text):
            yield from _value(text, match.end(), is_likely_password)
    for match in scan(_USER_IS, text):
        yield from _value(text, match.end(), _is_mixed)


def _value(text: str, start: int, accepted: Callable[[str], bool]) -> Iterator[Secret]:
    span = value_at(text, start)
    if span and accepted(text[slice(*span)]):
        yield Secret("password", *span)


def _is_mixed(value: str) -> bool:
    """Behind a mere user name it takes three of small letters, capitals, digits and signs."""
    kinds = sum(re.search(kind, value) is not None for kind in _KINDS_OF_SIGN)
    return is_likely_password(value) and kinds >= _LEAST_KINDS
