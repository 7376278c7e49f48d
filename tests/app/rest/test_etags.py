from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.api.etags import etag_of, etag_of_text, is_unchanged, matches_etag
from memory.types import StoredMemory

ITEM = StoredMemory(
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
    assert etag_of(ITEM) != etag_of(PINNED)
    assert is_unchanged(etag_of(ITEM), ITEM)
    assert not is_unchanged(etag_of(ITEM), PINNED)


def test_what_is_told_around_it_does_not_refuse_a_change() -> None:
    recalled = etag_of(ITEM, "recalled twice")
    assert recalled != etag_of(ITEM, "recalled once")
    assert is_unchanged(recalled, ITEM)


def test_but_it_is_sent_again() -> None:
    assert matches_etag(etag_of(ITEM, "once"), etag_of(ITEM, "once"))
    assert not matches_etag(etag_of(ITEM, "twice"), etag_of(ITEM, "once"))
    assert not matches_etag(etag_of(ITEM, "once"), etag_of(ITEM))


@pytest.mark.parametrize("given", [None, "*", f'"other", {etag_of(ITEM)}', f"W/{etag_of(ITEM)}"])
def test_no_tag_any_tag_and_one_of_several_are_current(given: str | None) -> None:
    assert is_unchanged(given, ITEM)


@pytest.mark.parametrize("given", ["", "kayak", '"', '""', etag_of_text("else")])
def test_what_is_no_tag_of_it_is_not_current(given: str) -> None:
    assert not is_unchanged(given, ITEM)


def test_nothing_is_known_to_who_does_not_say() -> None:
    assert not matches_etag(etag_of(ITEM), None)
