from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from pydantic import ValidationError

from memory.errors import KeyReused, StillUnderWay
from memory.fingerprints import KeyedDigester
from memory.store.database import WORKER_ROLE, Database
from memory.store.idempotency import (
    CRASHED_AFTER,
    KEPT_FOR,
    PURGED_AT_ONCE,
    CompletedRequest,
    IdempotencyStore,
    RequestClaim,
)

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
MOMENT = timedelta(seconds=1)
ROUTE = "POST /v1/memory/entries"
ASKED = '/v1/memory/entries?\n{"text": "I keep bees"}'


@pytest.fixture
def store(database: Database) -> IdempotencyStore:
    return IdempotencyStore(database, KeyedDigester(b"a key of these tests").text)


async def begin(
    store: IdempotencyStore,
    user_id: str,
    *,
    route: str = ROUTE,
    key: str = "one",
    asked: str = ASKED,
    now: datetime = NOW,
) -> RequestClaim | CompletedRequest:
    return await store.begin(user_id, route, key, asked, now)


async def claimed(store: IdempotencyStore, user_id: str, now: datetime = NOW) -> RequestClaim:
    held = await begin(store, user_id, now=now)
    assert isinstance(held, RequestClaim)
    return held


async def test_what_came_of_a_request_is_told_to_the_same_one(
    store: IdempotencyStore, user_id: str
) -> None:
    done = CompletedRequest(
        status=201,
        outcome="replaced",
        ids={"entry": (uuid4(),), "older": (uuid4(), uuid4())},
        counts={"kept": 3, "refused.too_long": 1},
    )
    await store.finish(user_id, await claimed(store, user_id), done)
    assert await begin(store, user_id) == done


async def test_a_key_is_of_one_user_and_one_route(store: IdempotencyStore, user_id: str) -> None:
    await claimed(store, user_id)
    assert isinstance(await begin(store, f"{user_id}-other"), RequestClaim)
    assert isinstance(await begin(store, user_id, route="POST /v1/chat"), RequestClaim)
    assert isinstance(await begin(store, user_id, key="two"), RequestClaim)


async def test_another_request_with_the_key_is_refused(
    store: IdempotencyStore, user_id: str
) -> None:
    claim = await claimed(store, user_id)
    with pytest.raises(KeyReused):
        await begin(store, user_id, asked="something else")
    await store.finish(user_id, claim, CompletedRequest(status=201))
    with pytest.raises(KeyReused):
        await begin(store, user_id, asked="something else")


async def test_one_that_is_under_way_is_not_done_beside_it(
    store: IdempotencyStore, user_id: str
) -> None:
    await claimed(store, user_id)
    with pytest.raises(StillUnderWay):
        await begin(store, user_id, now=NOW + CRASHED_AFTER)


async def test_of_many_at_once_one_does_it(store: IdempotencyStore, user_id: str) -> None:
    begun = await asyncio.gather(*(begin(store, user_id) for _ in range(8)), return_exceptions=True)
    assert sum(isinstance(each, RequestClaim) for each in begun) == 1
    assert sum(isinstance(each, StillUnderWay) for each in begun) == 7


async def test_a_crashed_one_is_done_again_and_has_no_say_any_more(
    store: IdempotencyStore, user_id: str
) -> None:
    crashed = await claimed(store, user_id)
    later = NOW + CRASHED_AFTER + MOMENT
    again = await claimed(store, user_id, later)
    await store.finish(user_id, crashed, CompletedRequest(status=201, outcome="kept"))
    await store.release(user_id, crashed)
    with pytest.raises(StillUnderWay):
        await begin(store, user_id, now=later)
    await store.finish(user_id, again, CompletedRequest(status=200, outcome="repeated"))
    assert await begin(store, user_id, now=later) == CompletedRequest(
        status=200, outcome="repeated"
    )


async def test_what_is_given_back_may_be_sent_again_at_once(
    store: IdempotencyStore, user_id: str
) -> None:
    await store.release(user_id, await claimed(store, user_id))
    assert isinstance(await begin(store, user_id), RequestClaim)


async def test_what_is_finished_is_not_given_back(store: IdempotencyStore, user_id: str) -> None:
    claim = await claimed(store, user_id)
    await store.finish(user_id, claim, CompletedRequest(status=201))
    await store.release(user_id, claim)
    assert await begin(store, user_id) == CompletedRequest(status=201)


async def test_after_a_day_a_key_is_new(store: IdempotencyStore, user_id: str) -> None:
    await store.finish(user_id, await claimed(store, user_id), CompletedRequest(status=201))
    assert await begin(store, user_id, now=NOW + KEPT_FOR) == CompletedRequest(status=201)
    held = await begin(store, user_id, asked="another", now=NOW + KEPT_FOR + MOMENT)
    assert isinstance(held, RequestClaim)


async def test_each_new_key_takes_expired_ones_away(
    store: IdempotencyStore, database: Database, user_id: str
) -> None:
    many = """
        INSERT INTO idempotency_keys (user_id, key, request, attempt, begun_at)
        SELECT $1, int4send(n), 'r', gen_random_uuid(), $2 FROM generate_series(1, $3) AS n
    """
    async with database.as_user(user_id) as connection:
        await connection.execute(many, user_id, NOW - KEPT_FOR - MOMENT, PURGED_AT_ONCE + 5)
    await claimed(store, user_id)
    async with database.as_user(user_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM idempotency_keys") == 5 + 1


async def test_neither_the_key_nor_what_was_asked_is_stored(
    store: IdempotencyStore, database: Database, user_id: str
) -> None:
    claim = await store.begin(user_id, ROUTE, "my-sister-maria", ASKED, NOW)
    assert isinstance(claim, RequestClaim)
    await store.finish(user_id, claim, CompletedRequest(status=201, ids={"entry": (uuid4(),)}))
    async with database.as_user(user_id) as connection:
        [row] = await connection.fetch("SELECT t::text AS told FROM idempotency_keys AS t")
    for word in ("maria", "bees", b"maria".hex(), b"bees".hex()):
        assert word not in row["told"]


@pytest.mark.parametrize(
    "words", [{"outcome": "I keep bees"}, {"counts": {"I keep bees": 1}}, {"ids": {"I'm": ()}}]
)
def test_words_are_not_taken(words: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CompletedRequest.model_validate({"status": 200} | words)


def test_only_what_went_well_is_kept() -> None:
    with pytest.raises(ValidationError):
        CompletedRequest(status=422)


async def test_what_is_still_under_way_is_not_begun_beside_it(
    store: IdempotencyStore, user_id: str
) -> None:
    claim = await claimed(store, user_id)
    later = NOW + CRASHED_AFTER - MOMENT
    await store.renew(user_id, claim, later)
    with pytest.raises(StillUnderWay):
        await begin(store, user_id, now=later + CRASHED_AFTER - MOMENT)
    assert isinstance(await begin(store, user_id, now=later + CRASHED_AFTER + MOMENT), RequestClaim)


async def test_a_claim_that_another_has_taken_renews_nothing(
    store: IdempotencyStore, user_id: str
) -> None:
    lost = await claimed(store, user_id)
    later = NOW + CRASHED_AFTER + MOMENT
    await claimed(store, user_id, now=later)
    await store.renew(user_id, lost, later + CRASHED_AFTER)
    assert isinstance(await begin(store, user_id, now=later + CRASHED_AFTER + MOMENT), RequestClaim)


async def test_the_worker_sweeps_what_has_expired_of_everybody(
    store: IdempotencyStore, database_url: str, user_id: str
) -> None:
    """And sees nothing else, whatever it asks for."""
    now = datetime.now(UTC)
    for each in (user_id, f"{user_id}-other"):
        await begin(store, each, key="new", now=now)
        await begin(store, each, key="old", now=now - KEPT_FOR - MOMENT)
    worker = await Database.open(database_url, role=WORKER_ROLE)
    sweeping = IdempotencyStore(worker, KeyedDigester(b"a key of these tests").text)
    assert await sweeping.sweep(now + 2 * KEPT_FOR) == 2
    assert await sweeping.sweep(now) == 0
    await worker.close()
    with pytest.raises(StillUnderWay):
        await begin(store, user_id, key="new", now=now)
