"""Text in a form that PostgreSQL, Redis, JSON and every model take."""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?|\u2028|\u2029")


def storable(text: str) -> str:
    """NFC, line ends as \\n, without NUL, other control characters and lone surrogates."""
    text = _LINE_END.sub("\n", _SURROGATE.sub("", text))
    return unicodedata.normalize("NFC", _CONTROL.sub("", text)).strip()
