from __future__ import annotations

import base64
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rest.cursors import cursor_of, cursor_of_number, number_of, place_of
from memory.errors import InvalidInput
from memory.store.memories.listing import Place

MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(MOMENTS, st.uuids())
def test_a_place_is_the_same_afterwards(at: datetime, item_id: UUID) -> None:
    place = Place(created_at=at, id=item_id)
    assert place_of(cursor_of(place)) == place


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_number_is_the_same_afterwards(number: int) -> None:
    assert number_of(cursor_of_number(number)) == number


@given(
    st.text(max_size=80) | st.binary(max_size=60).map(lambda raw: base64.b64encode(raw).decode())
)
def test_anything_else_is_refused_or_a_place(cursor: str) -> None:
    for read in (place_of, number_of):
        try:
            read(cursor)
        except InvalidInput as error:
            assert "cursor" in str(error)


@pytest.mark.parametrize("cursor", ["f" * 32, "A" * 31, "x"])
def test_a_forged_place_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        place_of(cursor)
