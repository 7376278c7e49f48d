"""Versions that were replaced: found when the past is asked, and as of a moment."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from uuid import UUID

import pytest

from memory.store.database import Database, load_queries
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.search import MemorySearch, SearchCandidate, SearchScope
from memory.types import NewMemory, Role
from tests.memory.fakes import vector_of

NOW = datetime.now(UTC)
LONG_AGO, BEFORE, LATER = (NOW - timedelta(days=days) for days in (300, 200, 100))
HOUR = timedelta(hours=1)
WORDS = ["home", "Oslo", "Bergen", "cat", "sofa", "tea"]


@dataclass
class Past:
    database: Database
    search: MemorySearch
    user_id: str

    async def keep(self, text: str, created_at: datetime | None = NOW, **fields: Any) -> UUID:
        new = NewMemory(content=text, created_at=created_at, **fields)
        kept = await MemoryStore(self.database).save(
            self.user_id, EmbeddedMemory(new, vector_of(text), "words")
        )
        return kept.id

    async def replace(self, older: UUID, by: UUID, when: datetime) -> None:
        await MemoryStore(self.database).supersede(self.user_id, older, by)
        await self.run("UPDATE memory_items SET valid_to = $2 WHERE id = $1", older, when)

    async def run(self, statement: str, *arguments: Any) -> None:
        async with self.database.as_user(self.user_id) as connection:
            await connection.execute(statement, *arguments)

    def scope(self, **fields: Any) -> SearchScope:
        given: dict[str, Any] = {"user_id": self.user_id, "now": NOW + HOUR} | fields
        return SearchScope(**given)

    async def found(self, query: str, **fields: Any) -> set[UUID]:
        """What both legs and the reading agree on."""
        scope = self.scope(**fields)
        words = {hit.id for hit in await self.search.search_by_keyword(scope, query, 60)}
        near = await self.search.search_by_vector(scope, vector_of(query), 60)
        assert {hit.id for hit in near} == words
        return words

    async def moments(
        self, start: datetime | None, end: datetime | None, *, learned: bool = False, **fields: Any
    ) -> list[UUID]:
        scope = self.scope(**fields)
        hits = await self.search.search_by_time(scope, start, end, 9, by_learning=learned)
        return [hit.id for hit in hits]

    async def read(self, ids: Sequence[UUID], **fields: Any) -> dict[UUID, SearchCandidate]:
        rows = await self.search.read_candidates(self.scope(**fields), ids, vector_of("home"))
        return {row.id: row for row in rows}


@pytest.fixture
def past(database: Database, user_id: str) -> Past:
    return Past(database, MemorySearch(database), user_id)


async def test_what_was_replaced_is_found_only_where_the_past_is_asked(past: Past) -> None:
    old = await past.keep("home is Oslo", LONG_AGO)
    new = await past.keep("home is Bergen", LATER)
    await past.replace(old, new, LATER)
    assert await past.found("home") == {new}
    assert await past.found("home", past=True) == {old, new}
    assert set(await past.read([old, new])) == {new}
    rows = await past.read([old, new], past=True)
    assert (rows[old].superseded, rows[old].valid_to) == (True, LATER)
    assert (rows[new].superseded, rows[new].valid_to) == (False, None)


MOMENTS: list[tuple[datetime, str]] = [
    (LONG_AGO - HOUR, ""),
    (LONG_AGO, "old"),
    (BEFORE, "old"),
    (LATER - HOUR, "old"),
    (LATER, "new"),
    (NOW, "new"),
]


async def test_as_of_a_moment_only_what_was_known_then_is_found(past: Past) -> None:
    old = await past.keep("home is Oslo", LONG_AGO)
    new = await past.keep("home is Bergen", LATER)
    await past.replace(old, new, LATER)
    wanted = {"old": {old}, "new": {new}, "": set()}
    for (moment, known), also_past in product(MOMENTS, (False, True)):
        found = await past.found("home", as_of=moment, past=also_past)
        read = await past.read([old, new], as_of=moment, past=also_past)
        assert (found, set(read)) == (wanted[known], wanted[known]), (moment, also_past)


async def test_new_words_of_an_edit_were_not_known_before_it(past: Past) -> None:
    """An edit keeps the row and its moment, and puts the old wording beside it."""
    edited = await past.keep("home is Bergen", LONG_AGO)
    wording = await past.keep("home is Oslo", LONG_AGO)
    await past.replace(wording, edited, LATER)
    for moment, known in ((BEFORE, {wording}), (LATER, {edited}), (NOW, {edited})):
        assert await past.found("home", as_of=moment) == known
        assert set(await past.read([edited, wording], as_of=moment)) == known


async def test_a_memory_that_replaced_another_later_was_known_before(past: Past) -> None:
    """Both stood side by side until the user said which one holds."""
    old = await past.keep("home is Oslo", LONG_AGO)
    new = await past.keep("home is Bergen", BEFORE)
    await past.replace(old, new, LATER)
    assert await past.found("home", as_of=LATER - HOUR) == {old, new}
    assert await past.found("home", as_of=LATER) == {new}


@pytest.mark.parametrize("how", ["deleted", "expired", "another space", "another user"])
@pytest.mark.parametrize("asked", [{"past": True}, {"as_of": NOW}])
async def test_what_is_gone_does_not_come_back_with_the_past(
    past: Past, how: str, asked: dict[str, Any]
) -> None:
    fields: dict[str, Any] = {}
    if how == "expired":
        fields = {"expires_at": NOW + HOUR}
    elif how == "another space":
        fields = {"space": "work"}
    gone = await past.keep("home is gone", BEFORE, **fields)
    if how == "deleted":
        await MemoryStore(past.database).delete(past.user_id, gone)
    elif how == "another user":
        past.user_id += "-other"
    assert await past.found("home", **asked) == set()
    if how != "another space":
        assert await past.read([gone], **asked) == {}


async def test_types_banks_and_roles_filter_the_past(past: Past) -> None:
    old = await past.keep("home is Oslo", LONG_AGO, type="note", bank="Work", role="assistant")
    new = await past.keep("home is Bergen", LATER)
    await past.replace(old, new, LATER)
    for filters in ({"types": ("note",)}, {"banks": ("Work",)}, {"roles": ("assistant",)}):
        assert await past.found("home", past=True, **filters) == {old}
        assert await past.found("home", as_of=BEFORE, **filters) == {old}
        assert await past.found("home", **filters) == set()


async def test_the_past_is_silent_where_memory_is_off(past: Past) -> None:
    await past.keep("home is Oslo", BEFORE)
    await past.run(
        "INSERT INTO memory_settings (user_id, memory_mode) VALUES ($1, 'off')", past.user_id
    )
    assert await past.found("home", past=True) == await past.found("home", as_of=NOW) == set()
    assert await past.search.search_by_time(past.scope(past=True), None, None, 9) == []
    learned = await past.search.search_by_time(past.scope(), None, None, 9, by_learning=True)
    assert learned == []


async def test_what_holds_now_scores_the_same_beside_the_past(past: Past) -> None:
    """Replaced versions are searched and do not make their words more common."""
    chance = random.Random(5)
    texts = [" ".join(chance.choices(WORDS, k=6)) for _ in "x" * 9]
    holds = [await past.keep(text) for text in texts]
    before = await past.search.search_by_keyword(past.scope(), "home in Oslo", 60)
    for each in range(30):
        old = await past.keep(f"home Oslo Oslo {each}", BEFORE)
        await past.replace(old, holds[0], LATER)
    after = await past.search.search_by_keyword(past.scope(), "home in Oslo", 60)
    beside = await past.search.search_by_keyword(past.scope(past=True), "home in Oslo", 60)
    assert after == before
    assert [hit for hit in beside if hit.id in holds] == before
    assert len(beside) == len(before) + 30
    assert all(0 < hit.bm25 < 1 and 0 < hit.coverage <= 1 + 1e-12 for hit in beside)


async def test_a_past_without_a_present_is_searched(past: Past) -> None:
    """What replaced it was trimmed: there is no corpus to be rare in."""
    old = await past.keep("home is Oslo", LONG_AGO)
    new = await past.keep("home is Bergen", LATER)
    await past.replace(old, new, LATER)
    await MemoryStore(past.database).delete(past.user_id, new)
    [hit] = await past.search.search_by_keyword(past.scope(past=True), "home in Oslo", 60)
    assert hit.id == old
    assert hit.coverage == pytest.approx(1)
    assert 0 < hit.bm25 < 1


async def test_a_candidate_has_what_ranks_it(past: Past) -> None:
    role: Role = "assistant"
    item = await past.keep(
        "home is Oslo", BEFORE, bank="Work", role=role, tags=("moving", "city"),
        source_ids=("mail:1",), pinned=True, occurred_at=LONG_AGO,
    )  # fmt: skip
    bare = await past.keep("home is Bergen")
    await past.run("UPDATE memory_items SET salience = 2.5, repeat_count = 3 WHERE id = $1", item)
    await past.run(
        "INSERT INTO memory_usage (user_id, item_id, access_count, last_accessed_at) "
        "VALUES ($1, $2, 7, $3)", past.user_id, item, LATER
    )  # fmt: skip
    rows = await past.read([item, bare])
    row = rows[item]
    assert (row.bank, row.role, row.tags, row.source_ids) == (
        "Work", "assistant", ("moving", "city"), ("mail:1",)
    )  # fmt: skip
    assert (row.pinned, row.salience, row.repeat_count) == (True, 2.5, 3)
    assert (row.occurred_at, row.created_at) == (LONG_AGO, BEFORE)
    assert (row.access_count, row.last_accessed_at) == (7, LATER)
    assert (rows[bare].access_count, rows[bare].last_accessed_at) == (0, None)
    assert (rows[bare].tags, rows[bare].pinned, rows[bare].occurred_at) == ((), False, None)


@pytest.mark.usefixtures("own_database_url")  # the plan goes by how many rows others have
async def test_reading_many_candidates_looks_up_each_usage_by_its_key(past: Past) -> None:
    statement = load_queries("search")["read_candidates"].replace("{known}", "true")
    ids = [await past.keep(f"home {each}") for each in range(3)]
    async with past.database.as_user(past.user_id) as connection:
        plan = await connection.fetch(
            f"EXPLAIN {statement}", past.user_id, ids, None, NOW, None, None, None, None
        )  # fmt: skip
    text = "\n".join(row[0] for row in plan)
    assert "memory_usage_pkey" in text, text


async def test_a_window_holds_its_beginning_and_not_its_end(past: Past) -> None:
    first = await past.keep("first", occurred_at=LONG_AGO)
    second = await past.keep("second", occurred_at=BEFORE)
    third = await past.keep("third", occurred_at=LATER)
    await past.keep("no moment", LONG_AGO)
    assert await past.moments(LONG_AGO, LATER) == [second, first]
    assert await past.moments(None, BEFORE) == [first]
    assert await past.moments(BEFORE, None) == [third, second]
    assert await past.moments(None, None) == [third, second, first]
    assert await past.moments(NOW, None) == []


async def test_the_nearest_to_now_comes_first_and_the_pool_is_a_limit(past: Past) -> None:
    ahead = await past.keep("ahead", occurred_at=NOW + timedelta(days=3))
    behind = await past.keep("behind", occurred_at=NOW - timedelta(days=2))
    await past.keep("far ahead", occurred_at=NOW + timedelta(days=90))
    hits = await past.search.search_by_time(past.scope(), None, None, 2)
    assert [(hit.id, hit.moment) for hit in hits] == [
        (behind, NOW - timedelta(days=2)),
        (ahead, NOW + timedelta(days=3)),
    ]


async def test_where_asked_it_goes_by_when_it_was_learned(past: Past) -> None:
    told = await past.keep("told then", BEFORE, occurred_at=LATER)
    await past.keep("told later", LATER, occurred_at=BEFORE)
    assert await past.moments(LONG_AGO, LATER, learned=True) == [told]


async def test_only_what_may_be_recalled_is_found(past: Past) -> None:
    when = {"occurred_at": BEFORE}
    stays = await past.keep("stays", **when)
    old = await past.keep("old", BEFORE, **when)
    await past.replace(old, stays, LATER)
    gone = await past.keep("gone", **when)
    await MemoryStore(past.database).delete(past.user_id, gone)
    await past.keep("expired", expires_at=NOW, **when)
    await past.keep("elsewhere", space="work", **when)
    note = await past.keep("note", type="note", bank="Work", role="assistant", **when)
    assert set(await past.moments(None, None)) == {stays, note}
    assert set(await past.moments(None, None, past=True)) == {stays, note, old}
    assert await past.moments(None, None, as_of=LATER - HOUR) == [old]
    wanted: tuple[dict[str, Any], ...] = (
        {"types": ("note",)},
        {"banks": ("Work",)},
        {"roles": ("assistant",)},
    )
    for filters in wanted:
        assert await past.moments(None, None, **filters) == [note]
    past.user_id += "-other"
    assert await past.moments(None, None, past=True) == []
