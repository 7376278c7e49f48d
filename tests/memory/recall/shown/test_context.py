from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.context import ContextGroup, date_note, group_memories
from memory.types import MemoryItem

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


def item(
    number: int,
    bank: str = "General",
    *tags: str,
    occurred_at: datetime | None = None,
    source: str | None = None,
    source_ids: tuple[str, ...] = (),
) -> MemoryItem:
    return MemoryItem(
        id=str(number),
        content=f"memory {number}",
        type="fact",
        relevance_score=0.5,
        answer_score=0.9,
        confidence="high",
        source=source,
        created_at=AT,
        importance=0.5,
        bank=bank,
        tags=tags,
        source_ids=source_ids,
        occurred_at=occurred_at,
    )


def shape(groups: list[ContextGroup]) -> list[tuple[str | None, list[int]]]:
    return [(group.name, [int(entry.item.id) for entry in group.entries]) for group in groups]


def test_by_bank_in_the_order_of_their_best() -> None:
    items = [item(1, "Work", "tea"), item(2, "Health", "tea"), item(3, "Work"), item(4, "General")]
    assert shape(group_memories(items)) == [("Work", [1, 3]), ("Health", [2]), ("General", [4])]


def test_by_a_shared_tag_within_one_bank() -> None:
    items = [
        item(1, "General", "ada", "music"),
        item(2, "General", "rome"),
        item(3, "General", "music"),
        item(4, "General", "ada", "music"),
        item(5, "General", "ada"),
        item(6, "General", "rome", "ada"),
    ]
    # "ada" is shared by four, of the rest nobody shares "music" or "rome".
    assert shape(group_memories(items)) == [("ada", [1, 4, 5, 6]), (None, [2, 3])]


def test_of_equal_tags_the_first_met() -> None:
    items = [item(1, "General", "x", "y"), item(2, "General", "y", "x")]
    assert shape(group_memories(items)) == [("x", [1, 2])]


def test_what_shares_no_tag_is_one_group() -> None:
    assert shape(group_memories([item(1, "General", "tea"), item(2)])) == [(None, [1, 2])]
    assert group_memories([]) == []


drawn = st.lists(
    st.tuples(st.sampled_from(["Work", "Home"]), st.lists(st.sampled_from("abcd"), max_size=3)),
    max_size=12,
)


@given(drawn, st.booleans())
def test_every_item_once_with_orders_kept(
    rows: list[tuple[str, list[str]]], one_bank: bool
) -> None:
    items = [
        item(number, "Work" if one_bank else bank, *tags)
        for number, (bank, tags) in enumerate(rows)
    ]
    groups = shape(group_memories(items))
    assert sorted(number for _, numbers in groups for number in numbers) == list(range(len(rows)))
    assert all(numbers == sorted(numbers) for _, numbers in groups)
    firsts = [numbers[0] for _, numbers in groups]
    assert firsts == sorted(firsts)
    assert len({name for name, _ in groups}) == len(groups)
    if len({each.bank for each in items}) == 1:
        assert all(len(numbers) > 1 for name, numbers in groups if name is not None)


def test_when_it_happened_stands_beside_when_it_was_kept() -> None:
    assert date_note(item(1, occurred_at=datetime(2027, 1, 2, tzinfo=UTC)), UTC) == (
        "of 2 January 2027, kept on 4 May 2026"
    )
    assert date_note(item(1), UTC) == "kept on 4 May 2026"


@pytest.mark.parametrize(("hours", "day"), [(14, 4), (15, 5)])
def test_the_day_is_that_of_the_zone(hours: int, day: int) -> None:
    [group] = group_memories([item(1)], timezone(timedelta(hours=hours)))
    assert group.entries[0].dated == f"kept on {day} May 2026"


def test_an_entry_names_its_sources_once() -> None:
    [group] = group_memories([item(1, source="message:7", source_ids=("mail:1", "7"))])
    assert group.entries[0].sources == ("7", "mail:1")
    [group] = group_memories([item(1)])
    assert group.entries[0].sources == ()
