"""Secrets that are called by their name: "the wifi password is …", "api_key = …", "my PIN is …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.secret import Kind, Secret
from memory.secrets.wording import is_strong, value_at

# Between name and verb: for my bank account; by the way; (for the router).
_WHOSE = (
    r"(?:\s(?i:for|to|of|on|at|in)(?:\s[\w'’.@&-]{1,40}){1,5}?"
    r"|,\s[^,\n]{1,30},|\s\([^()\n]{1,40}\))?"
)
_VERB = r"(?i:is|was|are|were|will\sbe|has\sbeen)"
_IS = (
    r"(?:"
    rf"(?:['’]s|\s{_VERB})?[\"'”’]?\s{{0,3}}(?P<sign>:=|=>|->|→|[:=])[^\S\n]{{0,9}}"
    r"(?P<next_line>\n[^\S\n]{0,9})?"
    rf"|(?:['’]s|\s{_VERB}),?\s"
    r")(?:(?i:now|still|just|currently|actually|simply|literally|set\sto"
    r"|it['’]s|it\sis|that['’]s)\s)?(?:,?\s?(?i:uh+|um+|er+|ehm|well),?\s)?"
)
_NAMES = (
    r"(?<![0-9])(?i:passwords?|passcodes?|pass\s?phrases?|passwd|pwd|kennwort|passwort|passord"
    r"|(?:wi-?fi|network|wlan)\s(?:key|pass)|(?:seed|recovery|backup|secret)\sphrase|mnemonic)"
)

_PASSWORD_IS = re.compile(f"{_NAMES}{_WHOSE}{_IS}")
_STRONG_BESIDE = (
    re.compile(rf"{_NAMES}\s(?:(?i:to|as|of|from)\s)?(?=\S)"),
    re.compile(rf"{_NAMES}(?:\s\S{{1,40}}){{1,4}}?\s(?i:to)\s(?=\S)"),  # on the router to …
    re.compile(r"(?<![A-Za-z])[Pp]ass\s?[:=]\s?(?=\S)"),
)
_STRONG_BEFORE = re.compile(
    r"(?<!\S)[\"'“‘`]?(?P<value>\S{4,64}?)[\"'”’`]?\s(?i:is|was|as|for)\s(?i:my|our|the|your|his|her|their)\s"
    r"(?:[\w'’-]{1,30}\s){0,3}?(?i:password|passcode|passphrase|(?P<pin>pin))\b(?!\s(?i:manager|app))"
)
_STRONG_BESIDE_LENGTH = 6

_SEED_PHRASE = re.compile(
    rf"(?i:(?:seed|recovery|secret|backup)\s(?:phrase|words)|mnemonic(?:\s(?:phrase|words))?){_WHOSE}{_IS}[\"'“]?"
    r"((?:[a-z]{3,8}[\s,]{1,2}){11,23}[a-z]{3,8})(?![a-z])"  # BIP 39: 12 to 24 words
)
_NEXT = re.compile(r",?\s(?:and|or)\s|,\s")

_PIN = re.compile(
    rf"""(?<![A-Za-z])
      (?:(?P<pin>(?i:pin|p\.i\.n\.)(?:[\s-]?(?i:code|number))?)
        |(?i:(?:door|gate|alarm|entry|access|unlock|lock|safe|garage|building|house|phone)['’]?s?
             \s(?:code|combination|combo|pin))
        |(?i:(?:verification|one[\s-]time|confirmation|login|2fa|reset|sms|security)\scode|otp)
        |(?i:(?:code|combination)\s(?:for|to|of)\s(?:[\w'’]{{1,20}}\s){{0,3}}?
             (?:door|gate|alarm|lock|locker|safe|garage|building|entrance|house|phone)))
      {_WHOSE}
      (?:(?:\s(?i:is|was)|['’]s)?\s?[:=]?\s?(?:(?i:now|still)\s)?)
      (?<!\w)(?P<value>[#*]?
        (?:[0-9]{{4,12}}|[0-9](?:[ -][0-9]){{3,7}}|[0-9]{{1,2}}(?:-[0-9]{{1,2}}){{2,3}})
        [#*]?)(?![\w/:]|[.,-][0-9])""",
    re.VERBOSE,
)
_PIN_IS_MEANT = re.compile(r"(?i:is|was|['’]s|[:=]|code|number)|PIN|P\.I\.N\.")
_OWNER = re.compile(r"(?i:\b(?:my|our|the|card|sim|your|his|her|their)\s)$")
_LOOK_BACK = 12

_KEY = re.compile(
    rf"""(?<![A-Za-z])
      (?:(?P<key>(?i:api[\s_-]?keys?|api[\s_-]?(?:secret|token)s?|access[\s_-]?keys?(?:[\s_-]id)?
            |secret[\s_-]?(?:access[\s_-]?)?keys?|(?:private|encryption|signing|account|auth
            |authentication|client|license|licence|product|recovery|master)[\s_-]?keys?
            |(?:recovery|backup)[\s_-]codes?))
        |(?P<token>(?i:(?:[a-z]{{2,20}}[\s_-])?tokens?))
        |(?P<secret>(?i:(?:client|webhook|signing|shared|app|jwt)[\s_-]?secrets?|secrets?)))
      {_WHOSE}{_IS}[\"'“`]?(?P<value>[^\s\"'“”`<>,;&]{{6,4096}})""",
    re.VERBOSE,
)
_KINDS: dict[str, Kind] = {"key": "API key", "token": "access token", "secret": "secret"}
_LEAST_RANDOM = 10
_CLOSING = ".,;:!?)]}"


# One of these stands in every text that can match; looking for them first is far cheaper.
_SIGNS_OF_A_PASSWORD = ("pass", "pwd", "kennwort", "key", "phrase", "mnemonic", "words", "pin")
_SIGNS_OF_A_CODE = ("pin", "p.i.n", "code", "combination", "combo", "otp")
_SIGNS_OF_A_KEY = ("key", "token", "secret", "code")


def passwords(text: str) -> Iterator[Secret]:
    """What is named a password, in both orders: "the password is X" and "X is the password"."""
    if not _has_one(_SIGNS_OF_A_PASSWORD, text):
        return
    for match in _PASSWORD_IS.finditer(text):
        span = value_at(text, match.end())
        if span and not (match["next_line"] and not is_strong(text[slice(*span)])):
            yield Secret("password", *span)
            yield from _more_passwords(text, span[1])
    for match in _SEED_PHRASE.finditer(text):
        yield Secret("password", *match.span(match.lastindex or 0))
    yield from _strong_ones(text)


def _strong_ones(text: str) -> Iterator[Secret]:
    """Where no verb says so, only what cannot be a word counts."""
    for pattern in _STRONG_BESIDE:
        for match in pattern.finditer(text):
            span = value_at(text, match.end())
            if span and _is_strong_alone(text[slice(*span)]):
                yield Secret("password", *span)
    for match in _STRONG_BEFORE.finditer(text):
        if is_strong(match["value"]):
            yield Secret("PIN" if match["pin"] else "password", *match.span("value"))


def _more_passwords(text: str, end: int) -> Iterator[Secret]:
    """ "… and hunter3", for as long as letters and digits show that it is another."""
    while following := _NEXT.match(text, end):
        span = value_at(text, following.end())
        if span is None or not _is_strong_alone(text[slice(*span)]):
            return
        yield Secret("password", *span)
        end = span[1]


def codes(text: str) -> Iterator[Secret]:
    """PINs and the codes of doors, alarms and logins; digits only."""
    if not _has_one(_SIGNS_OF_A_CODE, text):
        return
    for match in _PIN.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        said = text[match.start() : match.start("value")]
        if match["pin"] is None or _PIN_IS_MEANT.search(said) or _OWNER.search(before):
            yield Secret("PIN", *match.span("value"))


def named_keys(text: str) -> Iterator[Secret]:
    """API keys, tokens and secrets by name, whose value looks like one."""
    if not _has_one(_SIGNS_OF_A_KEY, text):
        return
    for match in _KEY.finditer(text):
        name = next(name for name in _KINDS if match[name])
        value = match["value"].rstrip(_CLOSING)
        if _looks_like_a_key(value) and (match["key"] or match["sign"] or _is_random(value)):
            start = match.start("value")
            yield Secret(_KINDS[name], start, start + len(value))


def _has_one(signs: tuple[str, ...], text: str) -> bool:
    lower = text.lower()
    return any(sign in lower for sign in signs)


def _is_strong_alone(value: str) -> bool:
    """Beside the bare word "password" it takes letters and digits, as in "password hunter2"."""
    letters_and_digits = re.search("[A-Za-z]", value) and re.search("[0-9]", value)
    return bool(letters_and_digits) and len(value) >= _STRONG_BESIDE_LENGTH


def _is_random(value: str) -> bool:
    """Where only "the token is" says so: letters and digits must alternate over some length."""
    return len(value) >= _LEAST_RANDOM and len(re.findall("[0-9]+", value)) > 1


def _looks_like_a_key(value: str) -> bool:
    """Letters and digits together, and no name, call, path or version of something."""
    if re.match(r"[$<{%\[(/]|[\w.]+[\[(]|v?[0-9]+(?:\.[0-9]+)+$|[0-9]{1,4}[-/.][0-9]", value):
        return False
    return bool(re.search("[A-Za-z]", value)) and bool(re.search("[0-9]", value))
