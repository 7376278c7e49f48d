"""Tags by which a client says which state of something it knows (RFC 9110, ETag).

The tag of an entry has two parts: of the memory itself, and of what is told around it. A change is
held against the first alone, so that a recall in between does not refuse it; whether anything is
to be sent again is held against both.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

from fastapi import Header

from memory.types import StoredMemory

IfNoneMatch = Annotated[
    str | None,
    Header(
        alias="If-None-Match",
        max_length=2000,
        description="Tags of what is known: answered with 304 if it holds.",
    ),
]
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=2000,
        description="The tag it was read with: 412 where it changed since.",
    ),
]
_TAG = re.compile(r'(?:W/)?"(?P<tag>[!#-~]*)"')


def etag_of(item: StoredMemory, around: str = "") -> str:
    """The quoted tag of a memory; `around` is what else is told, as JSON."""
    tag = _digest(item.model_dump_json())
    return f'"{tag}-{_digest(around)}"' if around else f'"{tag}"'


def etag_of_text(text: str) -> str:
    return f'"{_digest(text)}"'


def matches_etag(tag: str, if_none_match: str | None) -> bool:
    """Whether the client has just this."""
    given = _given(if_none_match)
    return "*" in given or tag.strip('"') in given


def is_unchanged(if_match: str | None, item: StoredMemory) -> bool:
    """Whether the memory is as the client knows it; so it is where it does not say."""
    given = _given(if_match)
    known = {each.partition("-")[0] for each in given}
    return if_match is None or "*" in given or _digest(item.model_dump_json()) in known


def _given(header: str | None) -> set[str]:
    if header is None:
        return set()
    if header.strip() == "*":
        return {"*"}
    return {match["tag"] for match in _TAG.finditer(header)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]
