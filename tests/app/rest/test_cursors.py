from __future__ import annotations

import base64
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.schemas.pagination import decode_number, decode_place, encode_number, encode_place
from memory.errors import InvalidInput
from memory.store.memories import PageCursor

MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(MOMENTS, st.uuids())
def test_a_place_is_the_same_afterwards(at: datetime, item_id: UUID) -> None:
    place = PageCursor(created_at=at, id=item_id)
    assert decode_place(encode_place(place)) == place


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_number_is_the_same_afterwards(number: int) -> None:
    assert decode_number(encode_number(number)) == number


@given(
    st.text(max_size=80) | st.binary(max_size=60).map(lambda raw: base64.b64encode(raw).decode())
)
def test_anything_else_is_refused_or_a_place(cursor: str) -> None:
    for read in (decode_place, decode_number):
        try:
            read(cursor)
        except InvalidInput as error:
            assert "cursor" in str(error)


@pytest.mark.parametrize("cursor", ["f" * 32, "A" * 31, "x"])
def test_a_forged_place_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        decode_place(cursor)
