from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog

from memory.dates import resolve_dates
from memory.errors import DatabaseUnavailable, EmbeddingUnavailable
from memory.ingestion.extraction import ExtractionInput, MemoryCandidate, OfflineExtractor, Worth
from memory.ingestion.learner import MAX_WAITING, MOST_TRIES, Learner
from memory.metrics import MemoryMetrics
from memory.store.audit import AuditStore
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.store.messages import CLAIMED_FOR, LearningQueue, NewMessage
from memory.types import Origin, SaveOutcome, StoredMemory
from memory.understanding import OfflineReader
from tests.claims import claim_of_an_ended_program, leave_claimed
from tests.memory.fakes import vector_of
from tests.memory.store.forgetting.test_tombstones import bury
from tests.memory.write.test_remember import MARKER, counted, remember

SAID_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
LEARNING = Origin("learning")
OSLO = MemoryCandidate(content="I live in Oslo", type="fact", category="identity", importance=0.8)
JAZZ = MemoryCandidate(
    content="I play jazz with Tom", type="fact", category="habit", bank="Interests"
)
TELLS = "I live in Oslo these days and I play jazz with Tom."
OFFLINE = OfflineExtractor(OfflineReader(), resolve=resolve_dates, roles=("user", "assistant"))


class Finds:
    """An extractor that finds what it was given, or fails first; remembers what it read."""

    def __init__(self, *found: MemoryCandidate, fails: int = 0) -> None:
        self._found = found
        self._fails = fails
        self.read: list[str] = []

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        self.read.append(said.text)
        if len(self.read) <= self._fails:
            raise EmbeddingUnavailable(model="m", reason="away")
        return list(self._found)


class Hangs:
    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        await asyncio.Event().wait()
        raise AssertionError


def learner(
    database: Database, extractor: Any, counters: MemoryMetrics | None = None, **options: Any
) -> Learner:
    counters = counters or MemoryMetrics()
    marks = LearningQueue(database)
    keeper = remember(database, counters=counters)
    return Learner(marks, extractor, OFFLINE, keeper, counters, **options)


async def message(database: Database, user_id: str, text: str = TELLS, **fields: Any) -> NewMessage:
    new = NewMessage("user", text, uuid4(), **{"needs_learning": True} | fields)
    await DatabaseConversations(database).add_message(
        user_id, uuid4(), new, fields.get("space", "default")
    )
    return new


def said(text: str = TELLS, message_id: UUID | None = None) -> ExtractionInput:
    return ExtractionInput(text=text, said_at=SAID_AT, message_id=message_id)


async def learn(
    database: Database,
    user_id: str,
    extractor: Any,
    what: ExtractionInput,
    *,
    recalled: Sequence[str] = (),
    **options: Any,
) -> list[SaveOutcome]:
    return await learner(database, extractor, **options).learn(
        user_id, "default", what, origin=LEARNING, recalled=recalled
    )


async def living(database: Database, user_id: str) -> list[StoredMemory]:
    return await MemoryStore(database).list_recent(user_id)


async def needs_learning(database: Database, user_id: str, message_id: UUID) -> bool:
    return await LearningQueue(database).needs_learning(user_id, message_id)


async def test_what_was_found_is_kept_and_the_message_is_learned(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    outcomes = await learn(database, user_id, Finds(OSLO, JAZZ), said(message_id=told.id))
    assert [each.kind for each in outcomes] == ["kept", "kept"]
    items = {item.content: item for item in await living(database, user_id)}
    assert items[OSLO.content].source_message_id == told.id
    assert items[OSLO.content].importance >= 0.8
    assert items[JAZZ.content].bank == "Interests"
    assert not items[JAZZ.content].manually_saved
    assert not await needs_learning(database, user_id, told.id)
    assert {entry.actor for entry in await AuditStore(database).read(user_id)} == {"learning"}


async def test_a_question_that_a_model_found_is_not_kept(database: Database, user_id: str) -> None:
    asked = OSLO.model_copy(update={"content": "How old is Tom"})
    outcomes = await learn(database, user_id, Finds(asked, OSLO), said())
    assert [each.item.content for each in outcomes] == [OSLO.content]


async def test_the_same_turn_again_adds_nothing(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    extractor = Finds(OSLO)
    await learn(database, user_id, extractor, said(message_id=told.id))
    before = await living(database, user_id)
    assert await learn(database, user_id, extractor, said(message_id=told.id)) == []
    assert await living(database, user_id) == before
    assert len(extractor.read) == 1


async def test_a_crash_before_the_end_loses_and_doubles_nothing(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id)
    await learn(database, user_id, Finds(OSLO), said(message_id=told.id))
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE messages SET needs_learning = true")
    outcomes = await learn(database, user_id, Finds(OSLO, JAZZ), said(message_id=told.id))
    assert [each.kind for each in outcomes] == ["repeated", "kept"]
    assert {item.repeat_count for item in await living(database, user_id)} == {0}


async def test_two_at_once_keep_it_once(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    one = learner(database, Finds(OSLO))
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
    extractor = Finds(OSLO)
    await learner(database, extractor).skip(user_id, told.id)
    for message_id in (told.id, uuid4()):
        assert await learn(database, user_id, extractor, said(message_id=message_id)) == []
    assert extractor.read == []


@pytest.mark.parametrize(
    "text", ["What is the capital of Norway?", "Thanks a lot!", "Hello there", "short"]
)
async def test_what_is_no_statement_reaches_no_extractor(
    database: Database, user_id: str, text: str
) -> None:
    told = await message(database, user_id, text)
    extractor, counters = Finds(OSLO), MemoryMetrics()
    outcomes = await learn(database, user_id, extractor, said(text, told.id), counters=counters)
    assert (outcomes, extractor.read) == ([], [])
    assert counted(counters, "llm_calls_skipped") == 1
    assert not await needs_learning(database, user_id, told.id)


async def test_a_short_clear_preference_needs_no_extraction(
    database: Database, user_id: str
) -> None:
    extractor, counters = Finds(), MemoryMetrics()
    [outcome] = await learn(
        database, user_id, extractor, said("I prefer tea over coffee"), counters=counters
    )
    assert (outcome.item.content, outcome.item.type) == ("I prefer tea over coffee", "preference")
    assert extractor.read == []
    assert counted(counters, "extraction_shortcuts") == 1
    assert counted(counters, "llm_calls_skipped") == 1


@pytest.mark.parametrize("text", ["I love the sea", "Since last year I prefer tea to coffee"])
async def test_the_shortcut_gives_what_the_offline_reader_gives(
    database: Database, user_id: str, text: str
) -> None:
    [short] = await learn(database, user_id, Finds(), said(text))
    other = f"{user_id}-other"
    [long] = await learn(database, other, OFFLINE, said(text), shortcut=False)
    ignored = {"id", "created_at"}
    assert short.item.model_dump(exclude=ignored) == long.item.model_dump(exclude=ignored)


async def test_the_shortcut_can_be_switched_off(database: Database, user_id: str) -> None:
    extractor = Finds()
    text = "I prefer tea over coffee"
    assert await learn(database, user_id, extractor, said(text), shortcut=False) == []
    assert extractor.read == [text]


RECALLED = ["I live in Oslo.", "I play chess with Tom"]


async def test_what_the_user_says_again_is_counted_though_it_was_recalled(
    database: Database, user_id: str
) -> None:
    await learn(database, user_id, Finds(OSLO), said())
    outcomes = await learn(database, user_id, Finds(OSLO), said(), recalled=RECALLED)
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
    database: Database, user_id: str, what: ExtractionInput
) -> None:
    outcomes = await learn(
        database,
        user_id,
        Finds(OSLO, JAZZ),
        what,
        recalled=RECALLED,
    )
    assert [each.item.content for each in outcomes] == [JAZZ.content]


async def test_a_changed_number_is_no_echo_of_what_was_recalled(
    database: Database, user_id: str
) -> None:
    older = MemoryCandidate(content="I am 35 years old", type="fact", category="identity")
    quoting = said("You said “I am 34 years old”, and now I am 35 years old.")
    outcomes = await learn(database, user_id, Finds(older), quoting, recalled=["I am 34 years old"])
    assert [each.item.content for each in outcomes] == ["I am 35 years old"]


async def test_secrets_are_taken_out_before_anything_reads_them(
    database: Database, user_id: str
) -> None:
    text = "I live in Oslo and the password is hunter2Xy for the wifi at home."
    quoting = MemoryCandidate(
        content="My password is [password removed]", type="fact", category="possession"
    )
    extractor = Finds(OSLO, quoting)
    outcomes = await learn(database, user_id, extractor, said(text))
    assert "hunter2Xy" not in extractor.read[0]
    assert [each.item.content for each in outcomes] == [OSLO.content]


async def test_a_refused_candidate_does_not_stop_the_others(
    database: Database, user_id: str
) -> None:
    await bury(database, user_id, MARKER(OSLO.content, vector_of(OSLO.content)))
    card = MemoryCandidate(
        content="My card is 4111 1111 1111 1111", type="fact", category="possession"
    )
    told = await message(database, user_id)
    with structlog.testing.capture_logs() as logs:
        outcomes = await learn(database, user_id, Finds(OSLO, card, JAZZ), said(message_id=told.id))
    assert [each.item.content for each in outcomes] == [JAZZ.content]
    assert not await needs_learning(database, user_id, told.id)
    assert [each["reason"] for each in logs if each["event"] == "not_kept"] == [
        "RecentlyForgotten",
        "SecretRefused",
    ]
    audited = {entry.action for entry in await AuditStore(database).read(user_id)}
    assert {"refused_forgotten", "refused_secret", "kept"} == audited


@pytest.mark.parametrize("extractor", [Finds(OSLO, fails=1), Hangs()])
async def test_where_a_model_fails_the_offline_reader_reads_the_message(
    database: Database, user_id: str, extractor: Any
) -> None:
    told = await message(database, user_id)
    counters = MemoryMetrics()
    one = learner(database, extractor, counters, extraction_timeout=0.05)
    with structlog.testing.capture_logs() as logs:
        outcomes = await one.learn(user_id, "default", said(message_id=told.id), origin=LEARNING)
    assert {each.item.content for each in outcomes} == {
        each.content for each in await OFFLINE.extract(said())
    }
    assert outcomes != []
    assert [each["event"] for each in logs if each["log_level"] == "warning"] == [
        "extracted_offline"
    ]
    assert counted(counters, "extraction_failures") == 1
    assert not await needs_learning(database, user_id, told.id)


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
    assert sorted(text for finds in each for text in finds.read) == [m.content for m in told]
    assert sum(map(len, spaces)) == len(told)


async def test_who_has_a_message_learns_from_it_and_nobody_else(
    database: Database, user_id: str
) -> None:
    told = await message(database, user_id, claimed_by="mine")
    what, finds = said(message_id=told.id), Finds(OSLO)
    assert await learner(database, finds).learn_waiting(user_id) == []
    assert await learn(database, user_id, finds, what) == []
    assert finds.read == []
    mine = learner(database, finds)
    await mine.learn(user_id, "default", what, origin=LEARNING, claim="mine")
    assert len(finds.read) == 1
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
    keeper = remember(database, counters=MemoryMetrics())
    await Learner(LearningQueue(database), OFFLINE, OFFLINE, keeper, MemoryMetrics()).learn_waiting(
        user_id
    )
    [item] = await living(database, user_id)
    bought = said_at - timedelta(days=days)
    assert item.content == f"I bought a drill on {bought.day} {bought:%B %Y}"


class Breaks:
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


class HangsOver:
    """An extractor that is never done with one text, and finds something in the others."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.begun = asyncio.Event()

    def without_left_out(self, said: ExtractionInput) -> ExtractionInput:
        return said

    def worth(self, said: ExtractionInput) -> Worth:
        return "statement"

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        if said.text == self._text:
            self.begun.set()
            await asyncio.Event().wait()
        return [OSLO]


def slow_learner(database: Database, hangs: HangsOver, **options: Any) -> Learner:
    """Whose model is given up at once, and whose rules hang."""
    options = {"extraction_timeout": 0.01, "keeping_timeout": 2.0} | options
    keeper = remember(database, counters=MemoryMetrics())
    return Learner(LearningQueue(database), hangs, hangs, keeper, MemoryMetrics(), **options)


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
    class Away:
        def without_left_out(self, said: ExtractionInput) -> ExtractionInput:
            return said

        def worth(self, said: ExtractionInput) -> Worth:
            return "statement"

        async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
            raise EmbeddingUnavailable(model="m", reason="away")

    told = await message(database, user_id)
    keeper = remember(database, counters=MemoryMetrics())
    one = Learner(LearningQueue(database), Away(), Away(), keeper, MemoryMetrics())
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


@pytest.mark.usefixtures("own_database_url")
async def test_without_a_database_it_fails_and_waits(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    one = learner(database, Finds(OSLO))
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await one.learn(user_id, "default", said(message_id=told.id), origin=LEARNING)
