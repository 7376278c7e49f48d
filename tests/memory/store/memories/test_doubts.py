from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest

from memory.actions.presentation import audit_sentence
from memory.embeddings.protocol import Embedding
from memory.errors import ChangedMeanwhile, EmbeddingOutdated, NotFound
from memory.ingestion.classification import salience_of
from memory.service import MemoryService
from memory.store.audit import AuditStore
from memory.store.conflicts import ConflictAnswer, ConflictStore, open_conflict
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.remainders import (
    FoundRemainders,
    Remainder,
    RemaindersMissing,
    try_with_remainders,
)
from memory.types import MemoryQueryRequest, NewMemory, Origin, StoredMemory
from tests.memory.fakes import nothing_stays

USER = Origin("user")
OF_ANOTHER_MODEL = np.ones(3, np.float32)


async def second_half(
    _new: str, older: Sequence[StoredMemory], vector: Embedding | None = None
) -> FoundRemainders:
    """What stands behind “and” stays of a memory."""
    return {
        (each.id, each.content): Remainder(
            each.id,
            each.content,
            each.content.split(" and ")[1],
            0,
            (),
            vector,
            None if vector is None else "new",
        )
        for each in older
    }


SECOND_HALF_OF_ANOTHER_MODEL = partial(second_half, vector=OF_ANOTHER_MODEL)


async def save(database: Database, user_id: str, content: str, **fields: Any) -> StoredMemory:
    new = EmbeddedMemory(NewMemory(content=content, **fields), None, None)
    return await MemoryStore(database).save(user_id, new)


async def doubt(
    database: Database, user_id: str, **fields: Any
) -> tuple[UUID, StoredMemory, StoredMemory]:
    older = await save(database, user_id, **{"content": "I drink tea"} | fields)
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


async def contents(database: Database, user_id: str) -> set[str]:
    return {item.content for item in await MemoryStore(database).list_recent(user_id)}


async def test_what_stays_of_the_older_one_needs_no_vector_to_be_kept(
    database: Database, user_id: str
) -> None:
    """The database may have been given the vectors of another model meanwhile."""
    doubt_id, _, _ = await doubt(database, user_id, content="I drink tea and I eat rice")
    doubts = ConflictStore(database, salience_of, SECOND_HALF_OF_ANOTHER_MODEL)
    assert (await doubts.answer(user_id, doubt_id, holds="newer", origin=USER)).kind == "replaced"
    assert await contents(database, user_id) == {"I drink coffee", "I eat rice"}


async def test_what_stays_is_that_of_the_words_that_the_older_one_has_by_then(
    database: Database, user_id: str
) -> None:
    doubt_id, _, _ = await doubt(database, user_id, content="I drink tea and I eat rice")

    async def edited_meanwhile(new: str, older: Sequence[StoredMemory]) -> FoundRemainders:
        async with database.as_user(user_id) as connection:
            await connection.execute(
                "UPDATE memory_items SET content = 'I drink tea and I eat bread'"
                " WHERE content = 'I drink tea and I eat rice'"
            )
        return await second_half(new, older)

    doubts = ConflictStore(database, salience_of, edited_meanwhile)
    await doubts.answer(user_id, doubt_id, holds="newer", origin=USER)
    assert await contents(database, user_id) == {"I drink coffee", "I eat bread"}


async def test_it_is_given_up_where_another_memory_is_replaced_at_every_try(
    database: Database, user_id: str
) -> None:
    there = await save(database, user_id, "I drink tea and I eat rice")

    async def attempt(found: FoundRemainders, _with_vectors: bool) -> None:
        raise RemaindersMissing("new", [there.model_copy(update={"id": uuid4()})])

    with pytest.raises(ChangedMeanwhile):
        await try_with_remainders(attempt, second_half)


async def test_no_rest_has_a_vector_once_they_are_of_another_model(
    database: Database, user_id: str
) -> None:
    """Also one that is found later."""
    there = await save(database, user_id, "I drink tea and I eat rice")

    async def attempt(found: FoundRemainders, with_vectors: bool) -> FoundRemainders:
        if with_vectors or any(rest and rest.embedding is not None for rest in found.values()):
            raise EmbeddingOutdated
        if not found:
            raise RemaindersMissing("new", [there])
        return found

    found = await try_with_remainders(attempt, SECOND_HALF_OF_ANOTHER_MODEL)
    assert [rest and rest.stays for rest in found.values()] == ["I eat rice"]
