from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog

from memory.counters import Counters
from memory.database import Database
from memory.errors import DatabaseUnavailable, EmbeddingUnavailable
from memory.models import KeptItem, Origin, Outcome
from memory.store.audit import Audit
from memory.store.conversations.conversations import Conversations
from memory.store.conversations.learning import LearningMarks
from memory.store.conversations.messages import NewMessage
from memory.store.memories.items import Items
from memory.write.candidates import Candidate, Said
from memory.write.learning import MAX_WAITING, MOST_TRIES, Learner
from tests.memory.fakes import vector_of
from tests.memory.store.forgetting.test_tombstones import bury
from tests.memory.write.test_remember import MARKER, remember

SAID_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
LEARNING = Origin("learning")
OSLO = Candidate(content="I live in Oslo", type="fact", category="identity", importance=0.8)
JAZZ = Candidate(content="I play jazz with Tom", type="fact", category="habit", bank="Interests")
TELLS = "I live in Oslo these days and I play jazz with Tom."


class Hears:
    """Finds what it was given in every message, and remembers what it read."""

    longest = 60.0

    def __init__(self, *found: Candidate) -> None:
        self._found = found
        self.read: list[str] = []

    async def hear(self, user_id: str, space: str, said: Said) -> list[Candidate]:
        self.read.append(said.text)
        return list(self._found)


def learner(database: Database, hearing: Any, **options: Any) -> Learner:
    keeper = remember(database, counters=Counters())
    return Learner(LearningMarks(database), hearing, keeper, **options)


async def message(database: Database, user_id: str, text: str = TELLS, **fields: Any) -> NewMessage:
    new = NewMessage("user", text, uuid4(), **{"needs_learning": True} | fields)
    await Conversations(database).add_message(user_id, uuid4(), new, fields.get("space", "default"))
    return new


def said(text: str = TELLS, message_id: UUID | None = None) -> Said:
    return Said(text=text, said_at=SAID_AT, message_id=message_id)


async def learn(
    database: Database,
    user_id: str,
    hearing: Any,
    what: Said,
    *,
    recalled: Sequence[str] = (),
    **options: Any,
) -> list[Outcome]:
    return await learner(database, hearing, **options).learn(
        user_id, "default", what, origin=LEARNING, recalled=recalled
    )


async def living(database: Database, user_id: str) -> list[KeptItem]:
    return await Items(database).list_recent(user_id)


async def needs_learning(database: Database, user_id: str, message_id: UUID) -> bool:
    return await LearningMarks(database).needs_learning(user_id, message_id)


async def test_what_was_found_is_kept_and_the_message_is_learned(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    outcomes = await learn(database, user_id, Hears(OSLO, JAZZ), said(message_id=told.id))
    assert [each.kind for each in outcomes] == ["kept", "kept"]
    items = {item.content: item for item in await living(database, user_id)}
    assert items[OSLO.content].source_message_id == told.id
    assert items[OSLO.content].importance >= 0.8
    assert items[JAZZ.content].bank == "Interests"
    assert not items[JAZZ.content].manually_saved
    assert not await needs_learning(database, user_id, told.id)
    assert {entry.actor for entry in await Audit(database).read(user_id)} == {"learning"}


async def test_the_same_turn_again_adds_nothing(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    hearing = Hears(OSLO)
    await learn(database, user_id, hearing, said(message_id=told.id))
    before = await living(database, user_id)
    assert await learn(database, user_id, hearing, said(message_id=told.id)) == []
    assert await living(database, user_id) == before
    assert len(hearing.read) == 1


async def test_a_crash_before_the_end_loses_and_doubles_nothing(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    await learn(database, user_id, Hears(OSLO), said(message_id=told.id))
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE messages SET needs_learning = true")
    outcomes = await learn(database, user_id, Hears(OSLO, JAZZ), said(message_id=told.id))
    assert [each.kind for each in outcomes] == ["repeated", "kept"]
    assert {item.repeat_count for item in await living(database, user_id)} == {0}


async def test_two_at_once_keep_it_once(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    one = learner(database, Hears(OSLO))
    await asyncio.gather(
        *(
            one.learn(user_id, "default", said(message_id=told.id), origin=LEARNING)
            for _ in range(5)
        )
    )
    [item] = await living(database, user_id)
    assert item.repeat_count == 0


async def test_a_skipped_or_removed_message_is_not_learned_from(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    hearing = Hears(OSLO)
    await learner(database, hearing).skip(user_id, told.id)
    for message_id in (told.id, uuid4()):
        assert await learn(database, user_id, hearing, said(message_id=message_id)) == []
    assert hearing.read == []


RECALLED = ["I live in Oslo.", "I play chess with Tom"]


async def test_what_the_user_says_again_is_counted_though_it_was_recalled(
    database: Database, user_id: str
) -> None:
    await learn(database, user_id, Hears(OSLO), said())
    outcomes = await learn(database, user_id, Hears(OSLO), said(), recalled=RECALLED)
    assert [(each.kind, each.item.repeat_count) for each in outcomes] == [("repeated", 1)]


@pytest.mark.parametrize(
    "what",
    [
        said("You wrote “You live in Oslo.” and I play jazz with Tom."),
        said("> I live in Oslo\nI play jazz with Tom."),
        said('Is "I live in Oslo" what you have of me? I play jazz with Tom.'),
        said("You live in Oslo, and you play jazz with Tom.").model_copy(
            update={"role": "assistant"}
        ),
    ],
    ids=["quoted", "a quoted line", "straight quotes", "the assistant"],
)
async def test_what_was_recalled_and_comes_back_is_not_learned_again(
    database: Database, user_id: str, what: Said
) -> None:
    outcomes = await learn(
        database,
        user_id,
        Hears(OSLO, JAZZ),
        what,
        recalled=RECALLED,
    )
    assert [each.item.content for each in outcomes] == [JAZZ.content]


async def test_a_changed_number_is_no_echo_of_what_was_recalled(
    database: Database, user_id: str
) -> None:
    older = Candidate(content="I am 35 years old", type="fact", category="identity")
    quoting = said("You said “I am 34 years old”, and now I am 35 years old.")
    outcomes = await learn(database, user_id, Hears(older), quoting, recalled=["I am 34 years old"])
    assert [each.item.content for each in outcomes] == ["I am 35 years old"]


async def test_secrets_are_taken_out_before_anything_reads_them(
    database: Database, user_id: str
) -> None:
    text = "I live in Oslo and the password is hunter2Xy for the wifi at home."
    hearing = Hears(OSLO)
    await learn(database, user_id, hearing, said(text))
    assert "hunter2Xy" not in hearing.read[0]


async def test_a_refused_candidate_does_not_stop_the_others(
    database: Database, user_id: str
) -> None:
    await bury(database, user_id, MARKER(OSLO.content, vector_of(OSLO.content)))
    card = Candidate(content="My card is 4111 1111 1111 1111", type="fact", category="possession")
    told = await message(database, user_id)
    with structlog.testing.capture_logs() as logs:
        outcomes = await learn(database, user_id, Hears(OSLO, card, JAZZ), said(message_id=told.id))
    assert [each.item.content for each in outcomes] == [JAZZ.content]
    assert not await needs_learning(database, user_id, told.id)
    assert [each["reason"] for each in logs if each["event"] == "not_kept"] == [
        "RecentlyForgotten",
        "SecretRefused",
    ]
    audited = {entry.action for entry in await Audit(database).read(user_id)}
    assert {"refused_forgotten", "refused_secret", "kept"} == audited


async def test_what_waits_is_learned_later_in_its_space_and_turn(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE conversations SET space = 'work'")
    other = await message(database, f"{user_id}-other")
    assert await learner(database, Hears(JAZZ)).learn_waiting(user_id) == ["work"]
    [item] = await Items(database).list_recent(user_id, space="work")
    assert (item.content, item.source_message_id) == (JAZZ.content, told.id)
    [entry] = await Audit(database).read(user_id)
    assert (entry.actor, entry.correlation_id) == ("learning", told.correlation_id)
    assert await needs_learning(database, f"{user_id}-other", other.id)
    assert await learner(database, Hears(JAZZ)).learn_waiting(user_id) == []


class Breaks:
    """Finds what the database cannot keep, in the first messages alone."""

    longest = 60.0

    def __init__(self, times: int) -> None:
        self._broken = [JAZZ.model_copy(update={"content": "x" * 9000})] * times

    async def hear(self, user_id: str, space: str, said: Said) -> list[Candidate]:
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


class HangsOver:
    """Is never done with one text, and finds something in the others."""

    def __init__(self, text: str, longest: float) -> None:
        self.longest = longest
        self._text = text
        self.begun = asyncio.Event()

    async def hear(self, user_id: str, space: str, said: Said) -> list[Candidate]:
        if said.text == self._text:
            self.begun.set()
            await asyncio.Event().wait()
        return [OSLO]


HANGS_BRIEFLY = 0.01


def slow_learner(database: Database, hangs: HangsOver) -> Learner:
    """Gives up at once what takes longer than a model may."""
    return learner(database, hangs, keeping_timeout=2.0)


async def test_one_over_which_a_program_died_twice_is_given_up(
    database: Database, user_id: str
) -> None:
    """Which can say nothing itself: it counted what it began, and nobody took it back."""
    poison, later = [await message(database, user_id) for _ in range(2)]
    one = learner(database, Hears(OSLO))
    for _ in range(MOST_TRIES):
        assert await one.give_up_tried(user_id) == 0
        await LearningMarks(database).begin(user_id, poison.id)
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
    one = slow_learner(database, HangsOver(poison.content, HANGS_BRIEFLY))
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
    hangs = HangsOver(TELLS, longest=60)
    one = slow_learner(database, hangs)
    learning = asyncio.create_task(one.learn_waiting(user_id))
    await hangs.begun.wait()
    assert await tries(database, user_id, told.id) == 1, "counted before it begins"
    learning.cancel()
    await asyncio.wait({learning})
    assert await tries(database, user_id, told.id) == 0


async def test_what_a_message_needs_may_be_away_without_a_try_being_used_up(
    database: Database, user_id: str
) -> None:
    class Away:
        longest = 60.0

        async def hear(self, user_id: str, space: str, said: Said) -> list[Candidate]:
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
    one = learner(database, Hears(OSLO), share=0)
    for _ in range(3):
        assert len(await one.learn_waiting(user_id)) == 1
    assert await one.learn_waiting(user_id) == []


async def test_learning_later_knows_what_the_reply_recalled(
    database: Database, user_id: str
) -> None:
    [outcome] = await learn(database, user_id, Hears(OSLO), said())
    told = await message(database, user_id, "You said “You live in Oslo.” I play jazz with Tom.")
    reply = NewMessage(
        "assistant",
        "You live in Oslo",
        told.correlation_id,
        recalled=({"item_id": str(outcome.item.id), "relevance": 0.9},),
    )
    await Conversations(database).add_message(user_id, uuid4(), reply)
    await learner(database, Hears(OSLO, JAZZ)).learn_waiting(user_id)
    counts = {item.content: item.repeat_count for item in await living(database, user_id)}
    assert counts == {OSLO.content: 0, JAZZ.content: 0}


async def test_without_a_database_it_fails_and_waits(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    one = learner(database, Hears(OSLO))
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await one.learn(user_id, "default", said(message_id=told.id), origin=LEARNING)
