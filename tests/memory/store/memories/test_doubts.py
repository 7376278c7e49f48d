from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from memory.actions.presentation import audit_sentence
from memory.errors import NotFound
from memory.ingestion.classification import salience_of
from memory.service import MemoryService
from memory.store.audit import AuditStore
from memory.store.conflicts import ConflictAnswer, ConflictStore, open_conflict
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.types import MemoryQueryRequest, NewMemory, Origin, StoredMemory
from tests.memory.fakes import nothing_stays

USER = Origin("user")


async def save(database: Database, user_id: str, content: str, **fields: Any) -> StoredMemory:
    new = EmbeddedMemory(NewMemory(content=content, **fields), None, None)
    return await MemoryStore(database).save(user_id, new)


async def doubt(
    database: Database, user_id: str, **fields: Any
) -> tuple[UUID, StoredMemory, StoredMemory]:
    older = await save(database, user_id, "I drink tea", **fields)
    newer = await save(database, user_id, "I drink coffee")
    async with database.as_user(user_id) as connection:
        doubt_id = await open_conflict(connection, user_id, older.id, newer.id)
    return doubt_id, older, newer


async def living(database: Database, user_id: str) -> set[UUID]:
    return {item.id for item in await MemoryStore(database).list_recent(user_id)}


async def test_a_doubt_is_open_until_it_is_answered(database: Database, user_id: str) -> None:
    doubts = ConflictStore(database, salience_of, nothing_stays)
    doubt_id, older, newer = await doubt(database, user_id)
    [found] = await doubts.open(user_id)
    assert (found.id, found.older, found.newer) == (doubt_id, older, newer)
    assert await doubts.open(user_id, "work") == []
    assert await doubts.open(f"{user_id}-other") == []
    await doubts.answer(user_id, doubt_id, holds="both", origin=USER)
    assert await doubts.open(user_id) == []


async def test_the_same_two_are_asked_about_once(database: Database, user_id: str) -> None:
    doubt_id, older, newer = await doubt(database, user_id)
    async with database.as_user(user_id) as connection:
        assert await open_conflict(connection, user_id, older.id, newer.id) == doubt_id


async def test_replaced_takes_the_older_one_out(database: Database, user_id: str) -> None:
    doubt_id, older, newer = await doubt(database, user_id, pinned=True)
    outcome = await ConflictStore(database, salience_of, nothing_stays).answer(
        user_id, doubt_id, holds="newer", origin=USER
    )
    assert outcome.kind == "replaced"
    assert outcome.item == newer.model_copy(update={"pinned": True})
    assert [each.superseded_by for each in outcome.older] == [newer.id]
    assert await living(database, user_id) == {newer.id}
    entries = await AuditStore(database).read(user_id)
    assert [(each.action, each.actor, each.item_id) for each in entries] == [
        ("superseded", "user", older.id),
        ("answered", "user", newer.id),
    ]


async def test_the_older_one_can_hold_still(database: Database, user_id: str) -> None:
    doubts = ConflictStore(database, salience_of, nothing_stays)
    doubt_id, older, newer = await doubt(database, user_id)
    outcome = await doubts.answer(user_id, doubt_id, holds="older", origin=USER)
    assert (outcome.kind, outcome.item) == ("replaced", older)
    assert [(each.id, each.superseded_by) for each in outcome.older] == [(newer.id, older.id)]
    assert await living(database, user_id) == {older.id}
    entries = await AuditStore(database).read(user_id)
    assert [(each.action, each.item_id) for each in entries] == [
        ("superseded", newer.id),
        ("answered", newer.id),
    ]
    assert "the older memory holds" in audit_sentence(entries[1])
    assert await doubts.undo_supersede(user_id, newer.id, origin=USER) == newer
    assert await living(database, user_id) == {older.id, newer.id}


async def test_both_leaves_both(database: Database, user_id: str) -> None:
    doubt_id, older, newer = await doubt(database, user_id)
    outcome = await ConflictStore(database, salience_of, nothing_stays).answer(
        user_id, doubt_id, holds="both", origin=USER
    )
    assert (outcome.kind, outcome.item) == ("kept", newer)
    assert await living(database, user_id) == {older.id, newer.id}
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.detail["answer"]) == ("answered", "both")


async def test_an_answer_is_given_once_and_by_its_user(database: Database, user_id: str) -> None:
    doubts = ConflictStore(database, salience_of, nothing_stays)
    doubt_id, _, _ = await doubt(database, user_id)
    with pytest.raises(NotFound):
        await doubts.answer(f"{user_id}-other", doubt_id, holds="newer", origin=USER)
    await doubts.answer(user_id, doubt_id, holds="both", origin=USER)
    for unknown in (doubt_id, uuid4()):
        with pytest.raises(NotFound):
            await doubts.answer(user_id, unknown, holds="newer", origin=USER)


@pytest.mark.parametrize("which", ["older", "newer"])
async def test_what_is_gone_is_not_asked_about(
    database: Database, user_id: str, which: str
) -> None:
    doubt_id, older, newer = await doubt(database, user_id)
    await MemoryStore(database).delete(user_id, older.id if which == "older" else newer.id)
    assert await ConflictStore(database, salience_of, nothing_stays).open(user_id) == []
    with pytest.raises(NotFound):
        await ConflictStore(database, salience_of, nothing_stays).answer(
            user_id, doubt_id, holds="newer", origin=USER
        )


async def test_an_undone_replacement_leaves_both(database: Database, user_id: str) -> None:
    doubts = ConflictStore(database, salience_of, nothing_stays)
    doubt_id, older, newer = await doubt(database, user_id)
    await doubts.answer(user_id, doubt_id, holds="newer", origin=USER)
    back = await doubts.undo_supersede(user_id, older.id, origin=USER)
    assert back == older
    assert await living(database, user_id) == {older.id, newer.id}
    [entry, *_] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.item_id) == ("unsuperseded", older.id)
    for unknown in (older.id, uuid4()):
        with pytest.raises(NotFound):
            await doubts.undo_supersede(user_id, unknown, origin=USER)


@pytest.mark.parametrize(("holds", "found"), [("newer", {"Oslo", "Bergen"}), ("older", {"Oslo"})])
async def test_what_never_held_is_no_answer_to_what_was_before(
    memory: MemoryService, user_id: str, holds: ConflictAnswer, found: set[str]
) -> None:
    for town in ("Oslo", "Bergen"):
        told = NewMemory(content=f"My sister Maria lives in {town}", manually_saved=True)
        await memory.remember(user_id, told)
    [asked] = await memory.doubts.open(user_id)
    await memory.doubts.answer(user_id, asked.id, holds=holds, origin=USER)

    before = MemoryQueryRequest(user_id=user_id, query="Where did my sister Maria live before?")
    answer = await memory.recall(before)
    assert {item.content.split()[-1] for item in answer.items} == found

    if holds == "older":  # “undo”: it may hold after all
        await memory.restore(user_id, asked.newer.id, USER)
        assert {item.content.split()[-1] for item in (await memory.recall(before)).items} == {
            "Oslo",
            "Bergen",
        }
