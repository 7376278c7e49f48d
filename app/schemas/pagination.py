"""Where a list goes on, as an opaque word: a moment and an id, or a number alone.

A cursor says no more than a place in the asking user's own list, so a forged one reaches nothing
else; one that was not made here is refused.
"""

from __future__ import annotations

import base64
import binascii
import struct
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from pydantic import Field

from memory.errors import InvalidInput
from memory.store.memories import PageCursor

Cursor = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
CursorParam = Annotated[
    Cursor | None, Field(description="`next` of the page before; left out for the first.")
]

_PLACE = struct.Struct(">q16s")
_NUMBER = struct.Struct(">q")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INVALID_CURSOR = "That cursor was not made here; take `next` of the page before, or leave it out."


def encode_place(place: PageCursor) -> str:
    """After the entry of that moment and id."""
    micros = (place.created_at - _EPOCH) // timedelta(microseconds=1)
    return _encode(_PLACE.pack(micros, place.id.bytes))


def decode_place(cursor: str) -> PageCursor:
    """Raises InvalidInput."""
    try:
        micros, id_bytes = _PLACE.unpack(_decode(cursor))
        return PageCursor(
            created_at=_EPOCH + timedelta(microseconds=micros), id=UUID(bytes=id_bytes)
        )
    except (binascii.Error, struct.error, ValueError, OverflowError):
        raise InvalidInput(reason=_INVALID_CURSOR) from None


def encode_number(number: int) -> str:
    return _encode(_NUMBER.pack(number))


def decode_number(cursor: str) -> int:
    """Raises InvalidInput."""
    try:
        [number] = _NUMBER.unpack(_decode(cursor))
    except (binascii.Error, struct.error, ValueError):
        raise InvalidInput(reason=_INVALID_CURSOR) from None
    return int(number)


def _encode(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _decode(cursor: str) -> bytes:
    padded = cursor + "=" * (-len(cursor) % 4)
    return base64.b64decode(padded, altchars=b"-_", validate=True)
