from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from memory.actions.entries import IMPORTANT_OF_BANK, MemoryChanges
from memory.errors import InvalidInput, MessageRefused, NotFound, SecretRefused
from memory.fingerprints import simhash64
from memory.ingestion.classification import salience
from memory.ingestion.normalisation import normalise
from memory.store.audit import AuditStore
from memory.store.memories import MemoryFilter
from memory.store.search import MemorySearch, SearchScope
from memory.types import MAX_MEMORY_CHARS
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept
from tests.memory.fakes import vector_of


async def found(controls: Controls, user_id: str, **wanted: Any) -> list[str]:
    page = await controls.entries.browse(user_id, MemoryFilter(**wanted))
    return [item.content for item in page.items]


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["assistant", "tea", "uv is nice"]),
    ({"type": "preference"}, ["tea"]),
    ({"bank": "Work"}, ["uv is nice"]),
    ({"role": "assistant"}, ["assistant"]),
    ({"tag": "python"}, ["uv is nice"]),
    ({"pinned": True}, ["tea"]),
    ({"pinned": False}, ["assistant", "uv is nice"]),
    ({"manually_saved": True}, ["uv is nice"]),
    ({"text": "python"}, ["uv is nice"]),
    ({"text": "assist"}, ["assistant"]),
    ({"text": "teas -uv"}, ["tea"]),
    ({"text": "%"}, []),
    ({"since": NOW + timedelta(hours=1)}, ["assistant", "tea"]),
    ({"until": NOW + timedelta(hours=1)}, ["uv is nice"]),
    ({"include_replaced": True}, ["assistant", "tea", "uv is nice", "old"]),
    ({"include_trimmed": True}, ["assistant", "tea", "uv is nice", "trimmed", "expired"]),
    ({"space": "work"}, ["elsewhere"]),
    ({"limit": 2}, ["assistant", "tea"]),
]


async def test_a_listing_passes_every_filter(controls: Controls, kept: Kept, user_id: str) -> None:
    hours = (NOW + timedelta(hours=number) for number in range(-9, 9))
    await kept.item(
        user_id, "expired", created_at=next(hours), expires_at=NOW - timedelta(days=999)
    )
    await kept.item(
        user_id, "trimmed", created_at=next(hours), deleted_at=NOW, removed_because="trimmed"
    )
    await kept.item(
        user_id, "forgotten", created_at=next(hours), deleted_at=NOW, removed_because="forgotten"
    )
    old = await kept.item(user_id, "old", created_at=next(hours))
    uv = await kept.item(
        user_id, "uv is nice", created_at=NOW, bank="Work", tags=["python"], manually_saved=True
    )
    await kept.execute(user_id, "UPDATE memory_items SET superseded_by = $1 WHERE id = $2", uv, old)
    at = NOW + timedelta(hours=1)
    await kept.item(user_id, "tea", created_at=at, pinned=True, type="preference")
    await kept.item(user_id, "assistant", created_at=NOW + timedelta(hours=2), role="assistant")
    await kept.item(user_id, "elsewhere", space="work")
    await kept.item(f"{user_id}-other", "theirs", bank="Work", tags=["python"], pinned=True)
    listed = [
        (wanted, await found(controls, user_id, **wanted), contents) for wanted, contents in FILTERS
    ]
    assert [(wanted, got) for wanted, got, contents in listed if got != contents] == []


async def test_pages_follow_each_other_whatever_comes_between(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    for number in range(7):
        await kept.item(user_id, str(number), created_at=NOW + timedelta(days=number // 3))
    seen: list[str] = []
    wanted = MemoryFilter(limit=3)
    while True:
        page = await controls.entries.browse(user_id, wanted)
        seen += [item.content for item in page.items]
        await kept.item(user_id, "new", created_at=NOW + timedelta(days=99))
        if page.next is None:
            break
        wanted = MemoryFilter(limit=3, after=page.next)
    assert sorted(seen) == [str(number) for number in range(7)]


async def test_a_summary_by_bank(controls: Controls, kept: Kept, user_id: str, other: str) -> None:
    for number in range(IMPORTANT_OF_BANK + 2):
        await kept.item(user_id, f"work {number}", bank="Work", importance=number / 10)
    pinned = await kept.item(user_id, "pinned", bank="Work", pinned=True, importance=0.0)
    await kept.item(user_id, "health", bank="Health")
    gone = await kept.item(user_id, "gone", bank="Work", importance=1.0)
    await controls.forgetting.forget(user_id, [gone], ORIGIN)
    await kept.item(other, "theirs", bank="Events")
    summary = await controls.entries.summary(user_id)
    assert [(bank.bank, bank.count, bank.pinned) for bank in summary.banks] == [
        ("Work", IMPORTANT_OF_BANK + 3, 1),
        ("Health", 1, 0),
    ]
    work = summary.banks[0].items
    assert work[0].id == pinned
    assert [item.content for item in work[1:]] == ["work 6", "work 5", "work 4", "work 3"]
    assert summary.count == IMPORTANT_OF_BANK + 4


async def test_pinning_raises_the_salience_and_is_written_down(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User likes tea")
    assert (await controls.entries.pin(user_id, item, ORIGIN)).pinned
    weight = "SELECT salience FROM memory_items"
    assert await kept.value(user_id, weight) == salience("User likes tea", "fact", pinned=True)
    assert not (await controls.entries.unpin(user_id, item, ORIGIN)).pinned
    assert await kept.value(user_id, weight) == salience("User likes tea", "fact", pinned=False)
    entries = await AuditStore(controls.database).read(user_id)
    assert [(each.action, each.item_id) for each in entries] == [
        ("unpinned", item),
        ("pinned", item),
    ]
    assert {(each.actor, each.correlation_id) for each in entries} == {
        (ORIGIN.actor, ORIGIN.correlation_id)
    }


async def test_a_bank_is_spelt_as_in_the_settings_and_another_is_refused(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User likes tea")
    changed = await controls.entries.edit(user_id, item, MemoryChanges(bank="interests"), ORIGIN)
    assert changed.bank == "Interests"
    with pytest.raises(InvalidInput, match="Choose one of Personal, Work"):
        await controls.entries.edit(user_id, item, MemoryChanges(bank="Attic"), ORIGIN)
    assert (await controls.entries.read(user_id, item)).bank == "Interests"


async def test_pinning_raises_the_importance_once_and_unpinning_lowers_nothing(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User likes tea", importance=0.4)
    entries = controls.entries
    assert (await entries.pin(user_id, item, ORIGIN)).importance == pytest.approx(0.7)
    for _ in range(2):
        assert (await entries.pin(user_id, item, ORIGIN)).importance == pytest.approx(0.7)
        assert (await entries.unpin(user_id, item, ORIGIN)).importance == pytest.approx(0.7)
    saved = await kept.item(user_id, "User likes milk", importance=0.4, manually_saved=True)
    assert (await entries.pin(user_id, saved, ORIGIN)).importance == pytest.approx(0.4)


async def test_new_words_lose_the_old_vector_at_once(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User lives in Oslo", embedding_model="words")
    changed = await controls.entries.edit(
        user_id, item, MemoryChanges(content="  User lives in Bergen "), ORIGIN
    )
    assert (changed.id, changed.content) == (item, "User lives in Bergen")
    async with kept.database.as_user(user_id) as connection:
        row = await connection.fetchrow(
            "SELECT embedding_model, needs_embedding, simhash, salience"
            " FROM memory_items WHERE superseded_by IS NULL"
        )
    assert row is not None
    words = "User lives in Bergen"
    assert tuple(row)[:2] == ("words", False)
    assert row["simhash"] == simhash64(normalise(words))
    assert row["salience"] == salience(words, "fact", pinned=False)
    search, scope = MemorySearch(controls.database), SearchScope(user_id, NOW)
    [hit] = await search.search_by_vector(scope, vector_of("I live in Oslo"), 9)
    assert (hit.id, hit.cosine < 0.9) == (item, True)
    assert await search.search_by_keyword(scope, "Oslo", 9) == []
    assert len(await search.search_by_keyword(scope, "Bergen", 9)) == 1
    [entry] = await AuditStore(controls.database).read(user_id)
    assert (entry.action, entry.detail["changed"]) == ("edited", ["content"])
    assert len(entry.detail["older"]) == 1


async def test_the_rest_is_changed_without_touching_the_vector(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User lives in Oslo", tags=["old"])
    changed = await controls.entries.edit(
        user_id,
        item,
        MemoryChanges(
            type="preference", bank="Personal", tags=("a", "b"), importance=0.9, occurred_at=NOW
        ),
        ORIGIN,
    )
    assert (changed.type, changed.bank, changed.tags) == ("preference", "Personal", ("a", "b"))
    assert (changed.importance, changed.occurred_at) == (0.9, NOW)
    assert changed.content == "User lives in Oslo"
    assert not await kept.value(user_id, "SELECT needs_embedding FROM memory_items")
    assert await kept.value(user_id, "SELECT salience FROM memory_items") == salience(
        "User lives in Oslo", "preference", pinned=False
    )


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("My password is hunter2!Xy9", SecretRefused),
        ("x" * (MAX_MEMORY_CHARS + 1), InvalidInput),
        (" \x00 ", MessageRefused),
    ],
)
async def test_words_that_cannot_be_kept_change_nothing(
    controls: Controls, kept: Kept, user_id: str, content: str, error: type[Exception]
) -> None:
    item = await kept.item(user_id, "User lives in Oslo")
    with pytest.raises(error):
        await controls.entries.edit(
            user_id, item, MemoryChanges(content=content, bank="Work"), ORIGIN
        )
    left = await controls.entries.read(user_id, item)
    assert (left.content, left.bank) == ("User lives in Oslo", "General")
    assert await kept.actions(user_id) == []


async def test_another_users_memory_is_not_there(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    theirs = await kept.item(other, "theirs")
    entries = controls.entries
    for item in (theirs, uuid4()):
        with pytest.raises(NotFound):
            await entries.read(user_id, item)
        with pytest.raises(NotFound):
            await entries.pin(user_id, item, ORIGIN)
        with pytest.raises(NotFound):
            await entries.unpin(user_id, item, ORIGIN)
        with pytest.raises(NotFound):
            await entries.edit(user_id, item, MemoryChanges(content="mine"), ORIGIN)
    assert (await entries.read(other, theirs)).content == "theirs"
    assert await kept.actions(user_id) == await kept.actions(other) == []


async def test_what_was_replaced_is_read_but_not_changed(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    new = await kept.item(user_id, "new")
    old = await kept.item(user_id, "old", superseded_by=new)
    assert (await controls.entries.read(user_id, old)).superseded_by == new
    with pytest.raises(NotFound):
        await controls.entries.pin(user_id, old, ORIGIN)
    with pytest.raises(NotFound):
        await controls.entries.edit(user_id, old, MemoryChanges(content="newer"), ORIGIN)
