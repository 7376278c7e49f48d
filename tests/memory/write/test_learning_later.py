"""Messages that wait to be learned from, who has which of them, and when one is given up."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog

from memory.errors import EmbeddingUnavailable
from memory.ingestion.extraction import ExtractionInput, MemoryCandidate
from memory.ingestion.learner import MAX_WAITING, MOST_TRIES, Learner
from memory.store.audit import AuditStore
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.store.messages import CLAIMED_FOR, LearningQueue, NewMessage
from tests.claims import claim_of_an_ended_program, leave_claimed
from tests.memory.write.test_learning import (
    JAZZ,
    LEARNING,
    OFFLINE,
    OSLO,
    TELLS,
    Finds,
    Takes,
    learn,
    learner,
    living,
    message,
    needs_learning,
    said,
)


async def test_what_waits_is_learned_later_in_its_space_and_turn(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE conversations SET space = 'work'")
    other = await message(database, f"{user_id}-other")
    assert await learner(database, Finds(JAZZ)).learn_waiting(user_id) == ["work"]
    [item] = await MemoryStore(database).list_recent(user_id, space="work")
    assert (item.content, item.source_message_id) == (JAZZ.content, told.id)
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.actor, entry.correlation_id) == ("learning", told.correlation_id)
    assert await needs_learning(database, f"{user_id}-other", other.id)
    assert await learner(database, Finds(JAZZ)).learn_waiting(user_id) == []


async def test_of_several_learners_one_learns_from_a_message(
    database: Database, user_id: str
) -> None:
    told = [await message(database, user_id, f"{TELLS} {number}") for number in range(6)]
    each = [Finds(OSLO) for _ in range(3)]
    learners = [learner(database, finds) for finds in each]
    spaces = await asyncio.gather(*(one.learn_waiting(user_id) for one in learners))
    assert sorted(text for finds in each for text in finds.seen) == [m.content for m in told]
    assert sum(map(len, spaces)) == len(told)


async def test_who_has_a_message_learns_from_it_and_nobody_else(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id, claimed_by="mine")
    what, finds = said(message_id=told.id), Finds(OSLO)
    assert await learner(database, finds).learn_waiting(user_id) == []
    assert await learn(database, user_id, finds, what) == []
    assert finds.seen == []
    mine = learner(database, finds)
    await mine.learn(user_id, "default", what, origin=LEARNING, claim="mine")
    assert len(finds.seen) == 1
    assert not await needs_learning(database, user_id, told.id)


@pytest.mark.parametrize("left", ["ended", "old", "given back"])
async def test_what_nobody_has_any_more_is_learned_from(
    database: Database, user_id: str, left: str
) -> None:
    await message(database, user_id)
    claim = claim_of_an_ended_program() if left == "ended" else f"elsewhere {left} 1 a b"
    minutes = CLAIMED_FOR.total_seconds() // 60 + 1 if left == "old" else 1
    await leave_claimed(database, user_id, claim, f"{minutes} minutes")
    one = learner(database, Finds(OSLO))
    if left == "given back":
        assert await one.learn_waiting(user_id) == []
        await one.release(user_id, claim)
    assert await one.learn_waiting(user_id) == ["default"]


async def test_what_was_not_learned_in_a_round_is_free_for_the_next(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    one = slow_learner(database, HangsOver(told.content))
    await one.learn_waiting(user_id)
    assert await LearningQueue(database).claims(user_id) == [None]


async def test_one_that_somebody_has_is_not_given_up(database: Database, user_id: str) -> None:
    told = await message(database, user_id, claimed_by="elsewhere x 1 a b")
    for _ in range(MOST_TRIES):
        await LearningQueue(database).begin(user_id, told.id)
    one = learner(database, Finds(OSLO))
    assert await one.give_up_tried(user_id) == 0
    await leave_claimed(database, user_id, claim_of_an_ended_program())
    assert await one.give_up_tried(user_id) == 1


@pytest.mark.parametrize(("minutes", "days"), [(-480, 2), (0, 1), (60, 1)])
async def test_what_is_learned_later_has_the_day_of_where_it_was_said(
    database: Database, user_id: str, minutes: int, days: int
) -> None:
    """At two in the morning in Greenwich it is the evening before in Los Angeles."""
    said_at = (datetime.now(UTC) - timedelta(days=1)).replace(hour=2)
    await message(database, user_id, "I bought a drill yesterday.", utc_offset_minutes=minutes)
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE messages SET created_at = $1", said_at)
    await learner(database, OFFLINE).learn_waiting(user_id)
    [item] = await living(database, user_id)
    bought = said_at - timedelta(days=days)
    assert item.content == f"I bought a drill on {bought.day} {bought:%B %Y}"


class Breaks(Takes):
    """Finds what the database cannot keep, in the first messages alone."""

    def __init__(self, times: int) -> None:
        self._broken = [JAZZ.model_copy(update={"content": "x" * 9000})] * times

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        return [self._broken.pop()] if self._broken else [OSLO]


async def test_one_that_cannot_be_learned_from_does_not_stop_the_others(
    database: Database, user_id: str
) -> None:
    for _ in range(2):
        await message(database, user_id)
    with structlog.testing.capture_logs() as logs:
        await learner(database, Breaks(1)).learn_waiting(user_id)
    assert [each["reason"] for each in logs if each["event"] == "given_up"] == ["ValidationError"]
    assert [item.content for item in await living(database, user_id)] == [OSLO.content]


async def test_as_many_broken_messages_as_are_looked_at_do_not_hold_up_the_rest(
    database: Database, user_id: str
) -> None:
    told = [await message(database, user_id) for _ in range(MAX_WAITING + 1)]
    breaks = learner(database, Breaks(MAX_WAITING))
    await breaks.learn_waiting(user_id)
    assert await needs_learning(database, user_id, told[-1].id)
    await breaks.learn_waiting(user_id)
    assert not await needs_learning(database, user_id, told[-1].id)
    assert [item.content for item in await living(database, user_id)] == [OSLO.content]


async def tries(database: Database, user_id: str, message_id: UUID) -> int:
    async with database.as_user(user_id) as connection:
        found = "SELECT learning_tries FROM messages WHERE id = $1"
        return int(await connection.fetchval(found, message_id))


class HangsOver(Takes):
    """An extraction that is never done with one text, and finds something in the others."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.begun = asyncio.Event()

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        if said.text == self._text:
            self.begun.set()
            await asyncio.Event().wait()
        return [OSLO]


def slow_learner(database: Database, hangs: HangsOver, **options: Any) -> Learner:
    options = {"extraction_timeout": 0.01, "keeping_timeout": 2.0} | options
    return learner(database, hangs, **options)


async def test_one_over_which_a_program_died_twice_is_given_up(
    database: Database, user_id: str
) -> None:
    """Which can say nothing itself: it counted what it began, and nobody took it back."""
    poison, later = [await message(database, user_id) for _ in range(2)]
    one = learner(database, Finds(OSLO))
    for _ in range(MOST_TRIES):
        assert await one.give_up_tried(user_id) == 0
        await LearningQueue(database).begin(user_id, poison.id)
    with structlog.testing.capture_logs() as logs:
        assert await one.give_up_tried(user_id) == 1
    assert [each["message"] for each in logs] == [str(poison.id)]
    assert len(await one.learn_waiting(user_id)) == 1
    assert not await needs_learning(database, user_id, later.id)
    assert await one.give_up_tried(user_id) == 0


async def test_one_that_takes_no_end_holds_up_no_other_and_is_given_up(
    database: Database, user_id: str
) -> None:
    poison = await message(database, user_id, f"{TELLS} For ever.")
    later = await message(database, user_id)
    one = slow_learner(database, HangsOver(poison.content))
    await one.learn_waiting(user_id)
    assert [item.content for item in await living(database, user_id)] == [OSLO.content]
    assert not await needs_learning(database, user_id, later.id)
    assert await needs_learning(database, user_id, poison.id), "it is tried once more"
    await one.learn_waiting(user_id)
    assert await one.give_up_tried(user_id) == 1
    assert await one.learn_waiting(user_id) == []


async def test_a_program_that_ends_meanwhile_uses_up_no_try(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    hangs = HangsOver(TELLS)
    one = slow_learner(database, hangs, extraction_timeout=60)
    learning = asyncio.create_task(one.learn_waiting(user_id))
    await hangs.begun.wait()
    assert await tries(database, user_id, told.id) == 1, "counted before it begins"
    learning.cancel()
    await asyncio.wait({learning})
    assert await tries(database, user_id, told.id) == 0


async def test_what_a_message_needs_may_be_away_without_a_try_being_used_up(
    database: Database, user_id: str
) -> None:
    class Away(Takes):
        async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
            raise EmbeddingUnavailable(model="m", reason="away")

    told = await message(database, user_id)
    one = learner(database, Away())
    for _ in range(MOST_TRIES + 1):
        with pytest.raises(EmbeddingUnavailable):
            await one.learn_waiting(user_id)
    assert await tries(database, user_id, told.id) == 0
    assert await needs_learning(database, user_id, told.id)


async def test_who_has_much_to_learn_from_leaves_the_others_their_turn(
    database: Database, user_id: str
) -> None:
    for _ in range(3):
        await message(database, user_id)
    one = learner(database, Finds(OSLO), share=0)
    for _ in range(3):
        assert len(await one.learn_waiting(user_id)) == 1
    assert await one.learn_waiting(user_id) == []


async def test_learning_later_knows_what_the_reply_recalled(
    database: Database, user_id: str
) -> None:
    [outcome] = await learn(database, user_id, Finds(OSLO), said())
    told = await message(database, user_id, "You said “You live in Oslo.” I play jazz with Tom.")
    reply = NewMessage(
        "assistant",
        "You live in Oslo",
        told.correlation_id,
        recalled=({"item_id": str(outcome.item.id), "relevance": 0.9},),
    )
    await DatabaseConversations(database).add_message(user_id, uuid4(), reply)
    await learner(database, Finds(OSLO, JAZZ)).learn_waiting(user_id)
    counts = {item.content: item.repeat_count for item in await living(database, user_id)}
    assert counts == {OSLO.content: 0, JAZZ.content: 0}
