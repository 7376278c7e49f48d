from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config.retention_rules import RetentionRule, parse_retention_rules
from memory.maintenance.retention import Retention, RetentionTimes, days_kept, overdue
from memory.store.audit import AuditStore
from memory.store.database import Database
from memory.store.lifecycle import RetentionCandidate, RetentionStore
from memory.types import MEMORY_TYPES, Origin
from tests.memory.controls.conftest import Kept

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
WEEK = timedelta(days=7)


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database)


def retention(database: Database, rules: str = "") -> Retention:
    return Retention(RetentionStore(database), RetentionTimes(rules=parse_retention_rules(rules)))


def retainable(bank: str = "Work", item_type: Any = "note", age: int = 100) -> RetentionCandidate:
    learned = NOW - timedelta(days=age)
    return RetentionCandidate(UUID(int=1), "x", item_type, "default", bank, learned)


DECIDED: list[tuple[str, int | None]] = [
    ("", None),
    ("fact:5", None),
    ("note:90", 90),
    ("note:90,Work/*:30", 30),
    ("Work/note:365,Work/*:30,note:90", 365),
    ("*:10,note:90", 90),
    ("note:90,note:60", 60),
    ("Health/note:5", None),
]


def test_the_most_particular_rule_decides() -> None:
    assert [
        (rules, got)
        for rules, days in DECIDED
        if (got := days_kept(retainable(), parse_retention_rules(rules))) != days
    ] == []


rules = st.builds(
    RetentionRule,
    st.sampled_from([None, "Work", "Health"]),
    st.sampled_from([None, *MEMORY_TYPES]),
    st.integers(1, 400),
)


@given(st.lists(rules, max_size=6), st.integers(0, 500))
def test_nothing_goes_before_its_days_are_over(made: list[RetentionRule], age: int) -> None:
    item = retainable(age=age)
    gone = overdue([item], made, NOW)
    assert gone == overdue([item], made[::-1], NOW)
    if gone:
        assert age > gone[0][1]
        assert any(rule.days == gone[0][1] and rule.fits("Work", "note") for rule in made)


async def test_a_rule_takes_out_of_recall_and_says_why(
    database: Database, kept: Kept, user_id: str
) -> None:
    old = {"created_at": NOW - timedelta(days=91), "type": "note"}
    gone = await kept.item(user_id, "an old note", **old)
    for fields in (
        old | {"type": "fact"},
        old | {"pinned": True},
        old | {"manually_saved": True},
        old | {"created_at": NOW - timedelta(days=89)},
    ):
        await kept.item(user_id, "stays", **fields)
    part = retention(database, "note:90")
    due = await part.due(user_id, NOW)
    assert [(item.id, days) for item, days in due.retired] == [(gone, 90)]
    assert await kept.actions(user_id) == []
    done = await part.run(user_id, NOW)
    assert [item.id for item, _ in done.retired] == [gone]
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.actor, entry.detail) == ("retired", "upkeep", {"days": 90})
    assert (await part.run(user_id, NOW)).retired == []


@pytest.mark.parametrize(
    ("why", "days"), [("archived", 180), ("trimmed", 180), ("cleaned", 30), ("retired", 30)]
)
async def test_what_is_out_of_recall_is_removed_for_good_in_time(
    database: Database, kept: Kept, user_id: str, why: str, days: int
) -> None:
    out = {"deleted_at": NOW, "removed_because": why}
    item = await kept.item(user_id, "long out of recall", **out)
    pinned = await kept.item(user_id, "pinned afterwards", pinned=True, **out)
    part = retention(database)
    assert (await part.run(user_id, NOW + timedelta(days=days))).removed == []
    later = NOW + timedelta(days=days, seconds=1)
    assert [each.id for each in (await part.run(user_id, later)).removed] == [item]
    left = await kept.value(user_id, "SELECT array_agg(id) FROM memory_items")
    assert left == [pinned]
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.item_id, entry.detail) == ("removed", item, {"why": why})


async def test_what_has_expired_goes_and_what_is_forgotten_waits_for_its_erasure(
    database: Database, kept: Kept, user_id: str
) -> None:
    expired = await kept.item(user_id, "a voucher", expires_at=NOW - timedelta(days=31))
    await kept.item(user_id, "another", expires_at=NOW - timedelta(days=29))
    long_ago = NOW - timedelta(days=999)
    await kept.item(user_id, "forgotten", deleted_at=long_ago, removed_because="forgotten")
    done = await retention(database).run(user_id, NOW)
    assert [(each.id, each.why) for each in done.removed] == [(expired, "expired")]


async def test_older_versions_go_with_what_replaced_them(
    database: Database, kept: Kept, user_id: str
) -> None:
    """Without it they would hold again."""
    out = {"deleted_at": NOW - timedelta(days=181), "removed_because": "archived"}
    new = await kept.item(user_id, "User lives in Bergen", **out)
    old = await kept.item(user_id, "User lives in Oslo", superseded_by=new)
    oldest = await kept.item(user_id, "User lives in Rome", superseded_by=old)
    saved = await kept.item(user_id, "User has a cat", **out)
    kept_by_hand = await kept.item(user_id, "Old cat", superseded_by=saved, manually_saved=True)
    await retention(database).run(user_id, NOW)
    left = await kept.value(user_id, "SELECT array_agg(id ORDER BY content) FROM memory_items")
    assert left == [kept_by_hand, saved]
    gone = {item_id for action, item_id in await kept.actions(user_id) if action == "removed"}
    assert gone == {new, old, oldest}


async def test_nobody_elses_memories_are_touched(
    database: Database, kept: Kept, user_id: str
) -> None:
    other = f"{user_id}-other"
    await kept.item(other, "an old note", type="note", created_at=NOW - timedelta(days=999))
    done = await retention(database, "note:90").run(user_id, NOW)
    assert (done.retired, done.removed) == ([], [])


async def test_what_was_brought_back_meanwhile_stays(
    database: Database, kept: Kept, user_id: str
) -> None:
    store = RetentionStore(database)
    out = {"deleted_at": NOW - timedelta(days=181), "removed_because": "archived"}
    item = await kept.item(user_id, "User lives in Bergen", **out)
    found = await store.removable(user_id, NOW - timedelta(days=180), NOW, 10)
    await kept.execute(user_id, "UPDATE memory_items SET deleted_at = NULL, removed_because = NULL")
    assert await store.remove(user_id, found, Origin("upkeep")) == []
    assert await kept.value(user_id, "SELECT count(*) FROM memory_items WHERE id = $1", item) == 1


@pytest.mark.parametrize(
    "change",
    ["content = 'a newer note'", "bank = 'Work'", "type = 'fact'", "superseded_by = id"],
    ids=["edited", "another bank", "another type", "replaced"],
)
async def test_what_was_changed_since_the_rules_looked_at_it_stays(
    database: Database, kept: Kept, user_id: str, change: str
) -> None:
    store = RetentionStore(database)
    await kept.item(user_id, "an old note", type="note", created_at=NOW - timedelta(days=91))
    planned = overdue(await store.retainable(user_id, NOW), parse_retention_rules("note:90"), NOW)
    await kept.execute(user_id, f"UPDATE memory_items SET {change}")
    assert len(planned) == 1
    assert await store.retire(user_id, planned, Origin("upkeep"), NOW) == []


@pytest.mark.parametrize(
    "change",
    ["pinned = true", "deleted_at = now(), removed_because = 'forgotten'"],
    ids=["pinned", "forgotten"],
)
async def test_what_replaced_one_that_was_pinned_or_forgotten_meanwhile_stays(
    database: Database, kept: Kept, user_id: str, change: str
) -> None:
    """The one would hold again without it, the other waits for its erasure."""
    store = RetentionStore(database)
    out = {"deleted_at": NOW - timedelta(days=181), "removed_because": "archived"}
    new = await kept.item(user_id, "User lives in Bergen", **out)
    old = await kept.item(user_id, "User lives in Oslo", superseded_by=new)
    times = (NOW - timedelta(days=180), NOW)
    found = await store.removable(user_id, *times, 10)
    await kept.execute(user_id, f"UPDATE memory_items SET {change} WHERE id = $1", old)
    assert [each.id for each in found] == [new]
    assert await store.remove(user_id, found, Origin("upkeep")) == []
    assert await store.removable(user_id, *times, 10) == []


async def test_more_than_a_transaction_takes_is_retired(
    database: Database, kept: Kept, user_id: str
) -> None:
    await kept.execute(
        user_id,
        "INSERT INTO memory_items (user_id, content, type, created_at)"
        " SELECT $1, 'note ' || n, 'note', $2 FROM generate_series(1, 501) AS n",
        user_id,
        NOW - timedelta(days=91),
    )
    assert len((await retention(database, "note:90").run(user_id, NOW)).retired) == 501


async def test_a_roll_up_goes_on_knowing_the_messages_of_what_is_removed(
    database: Database, kept: Kept, user_id: str
) -> None:
    """Of its older versions too; else forgetting it would not find what was said."""
    said = [(await kept.message(user_id, f"said {n}"))[0] for n in range(3)]
    out = {"deleted_at": NOW - timedelta(days=181), "removed_because": "archived"}
    home = await kept.item(user_id, "User lives in Bergen", source_message_id=said[0], **out)
    names = {"source_ids": [str(said[1])]}
    await kept.item(user_id, "User lives in Oslo", superseded_by=home, **names)
    tea = await kept.item(user_id, "User likes tea", source_message_id=said[2], **out)
    both = {"summary_of": [home, tea], "source_ids": [str(home), str(tea)]}
    roll_up = await kept.item(user_id, "User lives in Bergen. User likes tea.", **both)
    await retention(database).run(user_id, NOW)
    query = "SELECT source_ids FROM memory_items WHERE id = $1"
    named = await kept.value(user_id, query, roll_up)
    assert named[:2] == [str(home), str(tea)]
    assert set(named[2:]) == set(map(str, said))
