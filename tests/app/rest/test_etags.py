from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.rest.etags import is_current, is_known, tag_of, tag_of_text
from memory.models import KeptItem

ITEM = KeptItem(
    id=UUID(int=1),
    content="I own a red kayak",
    type="fact",
    space="default",
    bank="Interests",
    role="user",
    tags=("kayak",),
    importance=0.5,
    pinned=False,
    manually_saved=True,
    created_at=datetime(2026, 5, 1, tzinfo=UTC),
    occurred_at=None,
    source_message_id=None,
    repeat_count=0,
    superseded_by=None,
    deleted_at=None,
)
PINNED = ITEM.model_copy(update={"pinned": True})


def test_a_change_of_the_memory_changes_its_tag() -> None:
    assert tag_of(ITEM) != tag_of(PINNED)
    assert is_current(tag_of(ITEM), ITEM)
    assert not is_current(tag_of(ITEM), PINNED)


def test_what_is_told_around_it_does_not_refuse_a_change() -> None:
    recalled = tag_of(ITEM, "recalled twice")
    assert recalled != tag_of(ITEM, "recalled once")
    assert is_current(recalled, ITEM)


def test_but_it_is_sent_again() -> None:
    assert is_known(tag_of(ITEM, "once"), tag_of(ITEM, "once"))
    assert not is_known(tag_of(ITEM, "twice"), tag_of(ITEM, "once"))
    assert not is_known(tag_of(ITEM, "once"), tag_of(ITEM))


@pytest.mark.parametrize("given", [None, "*", f'"other", {tag_of(ITEM)}', f"W/{tag_of(ITEM)}"])
def test_no_tag_any_tag_and_one_of_several_are_current(given: str | None) -> None:
    assert is_current(given, ITEM)


@pytest.mark.parametrize("given", ["", "kayak", '"', '""', tag_of_text("else")])
def test_what_is_no_tag_of_it_is_not_current(given: str) -> None:
    assert not is_current(given, ITEM)


def test_nothing_is_known_to_who_does_not_say() -> None:
    assert not is_known(tag_of(ITEM), None)
