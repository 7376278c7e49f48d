"""Secrets that say by their form what they are: private keys, providers' keys, URLs with a login.

Patterns are linear: what repeats is bounded, possessive, or starts where no word goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.secret import Kind, Secret

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

_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("private key", re.compile(f"{_PRIVATE_KEY}{_REST_OF_KEY}")),
    ("connection string", _URL_WITH_LOGIN),
    ("API key", re.compile(f"{_START}(?:{'|'.join(_API_KEYS)})")),
    ("access token", re.compile(f"{_START}(?:{'|'.join(_ACCESS_TOKENS)})")),
    ("access token", _AUTHORIZATION),
    ("API key", _AZURE),
    ("API key", _AWS_PAIR),
)
_CLOSING = ".,;:!?)]} \t\n"


def keys(text: str) -> Iterator[Secret]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span(match.lastgroup or 0)
            yield Secret(kind, start, start + len(text[start:end].rstrip(_CLOSING)))
