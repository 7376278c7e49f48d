"""Forgetting takes along what is out of recall and says the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memory.fingerprints import simhash64
from memory.ingestion.normalisation import normalise
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept

OSLO = "User lives in Oslo"
TRIMMED: dict[str, Any] = {"deleted_at": NOW, "removed_because": "trimmed"}
LEFT = "SELECT count(*) FROM memory_items"


def marked(content: str) -> dict[str, Any]:
    return {"simhash": simhash64(normalise(content))}


@pytest.mark.parametrize(
    ("copy", "with_marks"),
    [
        (OSLO, True),
        (OSLO, False),
        ("user lives in  OSLO.", True),
        ("user lives in  OSLO.", False),
        ("User lives in “Oslo”", True),
        ("User lives\nin Oslo", False),
    ],
)
async def test_a_trimmed_copy_is_erased_with_it(
    controls: Controls, kept: Kept, user_id: str, copy: str, with_marks: bool
) -> None:
    await kept.item(user_id, copy, **TRIMMED, **(marked(copy) if with_marks else {}))
    item = await kept.item(user_id, OSLO, **(marked(OSLO) if with_marks else {}))
    assert [each.id for each in await controls.forgetting.preview(user_id, [item])] == [item]
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    assert await kept.value(user_id, LEFT) == 0
    assert (await controls.forgetting.prove(user_id, item)).holds


async def test_a_replaced_copy_and_what_it_replaced_go_too(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    bergen = await kept.item(user_id, "User lives in Bergen", **marked("User lives in Bergen"))
    copy = await kept.item(user_id, OSLO, superseded_by=bergen)
    await kept.item(user_id, "User lives in Rome", superseded_by=copy)
    item = await kept.item(user_id, OSLO)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    left = [each.content for each in await controls.entries.all(user_id, removed=True)]
    assert left == ["User lives in Bergen"]


async def test_what_lives_says_something_else_or_is_elsewhere_stays(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    item = await kept.item(user_id, OSLO, **marked(OSLO))
    await kept.item(user_id, OSLO, **marked(OSLO))
    await kept.item(user_id, "User lives in Rome", **TRIMMED, **marked("User lives in Rome"))
    await kept.item(user_id, "Øst", **TRIMMED)
    await kept.item(user_id, OSLO, space="work", **TRIMMED, **marked(OSLO))
    await kept.item(other, OSLO, **TRIMMED, **marked(OSLO))
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    assert await kept.value(user_id, LEFT) == 4
    assert await kept.value(other, LEFT) == 1


async def test_an_undo_leaves_a_trimmed_copy_trimmed(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    copy = await kept.item(user_id, OSLO, **TRIMMED)
    item = await kept.item(user_id, OSLO)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    assert set(await controls.forgetting.undo(user_id, [item], ORIGIN)) == {item, copy}
    assert [each.id for each in await controls.entries.all(user_id)] == [item]
    why = "SELECT removed_because FROM memory_items WHERE id = $1"
    assert await kept.value(user_id, why, copy) == "trimmed"
    assert await kept.value(user_id, "SELECT count(*) FROM tombstones") == 0


async def test_an_undo_brings_back_no_copy_that_was_forgotten_another_time(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    earlier = await kept.item(user_id, OSLO)
    await controls.forgetting.forget(user_id, [earlier], ORIGIN, now=NOW)
    item = await kept.item(user_id, OSLO)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW + timedelta(minutes=1))
    assert await controls.forgetting.undo(user_id, [item], ORIGIN) == [item]


async def test_what_is_to_be_forgotten_is_found_though_it_is_out_of_recall(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    entries = controls.entries
    gone = await kept.item(user_id, OSLO, **TRIMMED)
    assert await entries.find_matching(user_id, "default", "I live in Oslo") == []
    [found] = await entries.find_matching(user_id, "default", "I live in Oslo", removed=True)
    assert found.id == gone
    living = await kept.item(user_id, OSLO)
    [found] = await entries.find_matching(user_id, "default", "I live in Oslo", removed=True)
    assert found.id == living
    assert {each.id for each in await entries.all(user_id, removed=True)} == {gone, living}
    await controls.forgetting.forget(user_id, [gone, living], ORIGIN, now=NOW)
    assert await entries.find_matching(user_id, "default", "I live in Oslo", removed=True) == []
