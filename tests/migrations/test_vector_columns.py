from __future__ import annotations

import asyncpg
from hypothesis import given
from hypothesis import strategies as st

from memory.config import MAX_DIMENSIONS
from migrations.vector_swap import VectorTable, choose_storage, read_vector_tables

DIMENSIONS = st.integers(1, MAX_DIMENSIONS)


def table(*, within_row: bool = True) -> VectorTable:
    return VectorTable("t", 384, within_row=within_row, has_model=True, has_next=False)


@given(DIMENSIONS, DIMENSIONS)
def test_two_vectors_are_within_the_row_only_where_both_fit(one: int, other: int) -> None:
    bytes_of_both = 2 * (one + other) + 16
    within = choose_storage(table(), one, other) == "PLAIN"
    assert not within or bytes_of_both < 8_000
    assert within or bytes_of_both > 7_000


@given(DIMENSIONS)
def test_what_was_out_of_line_stays_there(dimensions: int) -> None:
    assert choose_storage(table(within_row=False), dimensions) == "EXTERNAL"


async def test_every_table_with_vectors_is_found(database_url: str) -> None:
    owner = await asyncpg.connect(database_url)
    try:
        found = {each.name: each for each in await read_vector_tables(owner)}
    finally:
        await owner.close()
    assert set(found) == {"episodes", "memory_items", "messages"}
    assert found["messages"] == VectorTable("messages", 384, True, True, False)
