from __future__ import annotations

from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.import_formats import (
    EXPORT_FORMAT,
    EXPORT_VERSION,
    KeepsakeExport,
    chain_ends,
    read_import,
)
from memory.errors import InvalidInput
from tests.memory.exports import a_memory, export_of, file_of
from tests.tables import refusal

IDS = [UUID(int=number) for number in range(1, 8)]


def read(said: object) -> KeepsakeExport:
    found = read_import(file_of(said))
    assert isinstance(found, KeepsakeExport)
    return found


def contents(export: KeepsakeExport, *, replaced: bool = False) -> list[str]:
    return [each.content for batch in export.memories(replaced=replaced) for each in batch]


def test_what_was_replaced_comes_after_what_took_its_place() -> None:
    living = a_memory("User lives in Bergen")
    older = a_memory("User lives in Rome", superseded_by=living["id"])
    trimmed = a_memory("User likes tea", deleted_at="2026-05-04T12:00:00+00:00")
    export = read(export_of(older, living, trimmed))
    assert contents(export) == ["User lives in Bergen", "User likes tea"]
    assert contents(export, replaced=True) == ["User lives in Rome"]


def test_it_is_known_by_what_it_says_of_itself_wherever_that_stands() -> None:
    memory = a_memory()
    said = {
        "audit": [{"x": [1]}],
        "memories": [memory],
        "version": EXPORT_VERSION,
        "format": EXPORT_FORMAT,
    }
    assert contents(read(said)) == ["User likes tea"]


def test_dates_without_an_offset_are_of_utc_and_what_no_store_takes_is_left_out() -> None:
    odd = a_memory("tea\x00", created_at="2024-05-01T09:30:00", tags=["a\x00b", "c\ud800"], salt=1)
    [[memory]] = read(export_of(odd)).memories(replaced=False)
    assert (memory.content, memory.tags) == ("tea", ("ab", "c"))
    assert memory.created_at.isoformat() == "2024-05-01T09:30:00+00:00"


DAMAGES: list[dict[str, Any]] = [
    {"id": "x"},
    {"id": None},
    {"content": ""},
    {"content": "\x00"},
    {"content": 7},
    {"type": "sermon"},
    {"space": "s" * 256},
    {"space": "a\x00b"},
    {"space": "a\x00b"},
    {"bank": ["x"]},
    {"importance": 7},
    {"importance": "nan"},
    {"repeat_count": -1},
    {"access_count": 2**31},
    {"slot": "s" * 101},
    {"removed_because": "forgotten"},
    {"created_at": None},
    {"created_at": "0001-01-01T00:00:00+14:00"},
    {"occurred_at": "9999-12-31T23:59:59-14:00"},
    {"expires_at": "yesterday"},
    {"superseded_by": "x"},
    {"summary_of": ["x"]},
    {"tags": [["deep"] * 3]},
]


def test_a_damaged_row_is_refused_before_anything_is_kept() -> None:
    rows = [(damage, export_of(a_memory(), a_memory() | damage)) for damage in DAMAGES]
    told = [(damage, refusal(InvalidInput, read, said)) for damage, said in rows]
    said = "a memory in it is damaged"
    assert [(damage, reason) for damage, reason in told if said not in str(reason)] == []


NO_EXPORTS: list[tuple[object, str]] = [
    (export_of(a_memory()) | {"version": 2}, "version 2"),
    ({"format": EXPORT_FORMAT, "memories": []}, "version None"),
    (export_of("x"), "damaged"),
    (export_of() | {"memories": "x"}, "damaged"),
    (export_of(doubts=[{"id": 1}]), "a question in it is damaged"),
    (export_of(settings=[{"space": "s", "memory_mode": "loud"}]), "a setting in it is damaged"),
    (export_of(*[a_memory(id=str(IDS[0]))] * 2), "damaged"),
    (export_of(a_memory("x" * 3_000_000)), "1,000,000 characters"),
]


def test_what_no_export_says_is_refused_with_a_sentence() -> None:
    told = [(refusal(InvalidInput, read, said), reason) for said, reason in NO_EXPORTS]
    assert [(got, reason) for got, reason in told if reason not in str(got)] == []


@pytest.mark.parametrize("length", [1, 2, 7])
def test_what_replaces_itself_is_refused(length: int) -> None:
    ring = [str(each) for each in [*IDS[:length], IDS[0]]]
    rows = [a_memory(id=older, superseded_by=newer) for older, newer in pairwise(ring)]
    with pytest.raises(InvalidInput, match="what replaced what in it is damaged"):
        read(export_of(*rows))


@given(st.dictionaries(st.sampled_from(IDS), st.sampled_from(IDS)))
def test_chains_end_where_nothing_follows(next_of: dict[UUID, UUID]) -> None:
    def walked(at: UUID) -> UUID | None:
        for _ in range(len(next_of) + 1):
            if at not in next_of:
                return at
            at = next_of[at]
        return None

    ends = {first: walked(first) for first in next_of}
    if None in ends.values():
        with pytest.raises(InvalidInput):
            chain_ends(next_of)
    else:
        assert chain_ends(next_of) == ends


def test_a_long_chain_is_followed_in_time() -> None:
    ids = [uuid4() for _ in range(200_000)]
    assert set(chain_ends(dict(pairwise(ids))).values()) == {ids[-1]}
