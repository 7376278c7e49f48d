"""Keys and tokens: by their form, by a name beside them, or as long as nobody would write by
hand."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from memory.secrets.patterns import IS, WHOSE, Secret, SecretKind, contains_any, scan_in_pieces

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


def find_random_tokens(text: str) -> Iterator[Secret]:
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


_START = r"(?<![A-Za-z0-9_-])"
_PRIVATE_KEY = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
# From END on back to BEGIN; or, where the end is missing, all that can be part of a key.
_REST_OF_KEY = (
    r"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:\s|\\[nr]|(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*+|[A-Za-z0-9+/=]{16,})*+)"
)

_API_KEYS = (
    r"sk-(?=[A-Za-z_-]{0,80}[0-9])[\w-]{12,}",  # OpenAI, Anthropic and many that follow them
    r"[sprw]k_(?:live|test|prod)_[A-Za-z0-9]{8,}",  # Stripe
    r"[sp]k_(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{16,}",
    r"whsec_[A-Za-z0-9+/=]{16,}",
    r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])",  # AWS
    r"AIza[\w-]{30,}",  # Google
    r"GOCSPX-[\w-]{20,}",
    r"SG\.[\w-]{16,}\.[\w-]{16,}",  # SendGrid
    r"(?:gsk|r8|dop_v1|shp(?:at|ca|pa|ss))_[A-Za-z0-9]{20,}",
    r"(?:xai|pplx|tskey|AGE-SECRET-KEY)-(?=[A-Za-z_-]{0,80}[0-9])[\w-]{20,}",
)
_ACCESS_TOKENS = (
    r"gh[pousr]_[A-Za-z0-9]{16,}",  # GitHub
    r"github_pat_\w{16,}",
    r"gl(?:pat|ptt|dt|rt)-[\w-]{16,}",  # GitLab
    r"xox[a-z]-(?=[A-Za-z-]{0,80}[0-9])[A-Za-z0-9-]{10,}",  # Slack
    r"xapp-[A-Za-z0-9-]{10,}",
    r"hf_[A-Za-z0-9]{16,}",  # Hugging Face
    r"npm_[A-Za-z0-9]{16,}",
    r"pypi-[\w-]{30,}",
    r"ya29\.[\w-]{20,}",  # Google OAuth
    r"[0-9]{8,10}:AA[\w-]{30,}",  # a Telegram bot
    r"eyJ[\w-]{6,}\.eyJ[\w-]{6,}(?:\.[\w-]*)?",  # JSON web token
)

_URL_WITH_LOGIN = re.compile(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:[^\s/@]{1,200}@"
    r"[^\s\"'<>`]*"
)
_AZURE = re.compile(r"\b(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/=]{20,})")
_AUTHORIZATION = re.compile(
    r"\b(?i:bearer)\s{1,3}(?P<secret>(?=[A-Za-z.~+/=_-]{0,80}[0-9])[\w.~+/=-]{12,})"
    r"|\b(?i:authorization)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?i:basic|token)\s{1,3}"
    r"(?P<login>[\w.~+/=-]{8,})"
)

# The secret half of an AWS key, 40 characters of base64, beside the half that is known by its form.
_AWS_PAIR = re.compile(
    r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])[^\n]{0,80}?\n?[^\n]{0,40}?(?<![A-Za-z0-9/+])"
    r"(?P<secret>(?=[A-Z0-9/+]{0,39}[a-z])(?=[a-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40})"
    r"(?![A-Za-z0-9/+=])"
)

_PATTERNS: tuple[tuple[SecretKind, re.Pattern[str]], ...] = (
    ("private key", re.compile(f"{_PRIVATE_KEY}{_REST_OF_KEY}")),
    ("connection string", _URL_WITH_LOGIN),
    ("API key", re.compile(f"{_START}(?:{'|'.join(_API_KEYS)})")),
    ("access token", re.compile(f"{_START}(?:{'|'.join(_ACCESS_TOKENS)})")),
    ("access token", _AUTHORIZATION),
    ("API key", _AZURE),
    ("API key", _AWS_PAIR),
)
_CLOSING = ".,;:!?)]} \t\n"


def find_keys(text: str) -> Iterator[Secret]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span(match.lastgroup or 0)
            yield Secret(kind, start, start + len(text[start:end].rstrip(_CLOSING)))


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
_LEAST_GROUPS = 3
_KINDS: dict[str, SecretKind] = {"key": "API key", "token": "access token", "secret": "secret"}
_LEAST_RANDOM = 10
_CLOSING_OF_NAMED = ".,;:!?)]}"
_SIGNS_OF_A_KEY = ("key", "token", "secret", "code")


def find_named_keys(text: str) -> Iterator[Secret]:
    """API keys, tokens and secrets by name, whose value looks like one."""
    if not contains_any(_SIGNS_OF_A_KEY, text):
        return
    for match in scan_in_pieces(_KEY, text):
        name = next(name for name in _KINDS if match[name])
        value = match["value"].rstrip(_CLOSING_OF_NAMED)
        if _looks_like_a_key(value) and (match["key"] or match["sign"] or _is_random(value)):
            start = match.start("value")
            yield Secret(_KINDS[name], start, start + len(value))
    yield from _keys_beside(text)


def _keys_beside(text: str) -> Iterator[Secret]:
    for match in scan_in_pieces(_KEY_BESIDE, text):
        value = match["value"].rstrip(_CLOSING_OF_NAMED)
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
