from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog

from memory.dates import resolve_dates
from memory.errors import DatabaseUnavailable
from memory.ingestion.extraction import ExtractionInput, MemoryCandidate, OfflineExtractor, Worth
from memory.ingestion.learner import Learner
from memory.ingestion.preparation import MemoryPreparer
from memory.ingestion.second_reading import SecondReading
from memory.metrics import MemoryMetrics
from memory.store.audit import AuditStore
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.store.messages import LearningQueue, NewMessage
from memory.types import Origin, SaveOutcome, StoredMemory
from memory.understanding import Interpretation, MessageText, OfflineReader, SecondReader
from tests.memory.fakes import RereadsAs, WordEmbedder, vector_of
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


class Takes:
    """An extraction that takes every message for a statement."""

    def read(self, said: ExtractionInput) -> ExtractionInput:
        return said

    def worth(self, said: ExtractionInput) -> Worth:
        return "statement"

    def leans_back(self, said: ExtractionInput) -> bool:
        return False


class Finds(Takes):
    """An extraction that finds what it was given; remembers what it looked at."""

    def __init__(self, *found: MemoryCandidate) -> None:
        self._found = found
        self.seen: list[str] = []

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        self.seen.append(said.text)
        return list(self._found)


class Hangs:
    """A second reader that is never done."""

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        await asyncio.Event().wait()
        raise AssertionError


def learner(
    database: Database,
    extraction: Any,
    counters: MemoryMetrics | None = None,
    *,
    reader: SecondReader | None = None,
    **options: Any,
) -> Learner:
    counters = counters or MemoryMetrics()
    preparer = MemoryPreparer(WordEmbedder(), OfflineReader(), embedding_timeout=5.0)
    second = None if reader is None else SecondReading(reader, database, preparer)
    keeper, marks = remember(database, counters=counters), LearningQueue(database)
    return Learner(marks, extraction, keeper, counters, second=second, **options)


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
    extraction: Any,
    what: ExtractionInput,
    *,
    recalled: Sequence[str] = (),
    **options: Any,
) -> list[SaveOutcome]:
    return await learner(database, extraction, **options).learn(
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
    finds = Finds(OSLO)
    await learn(database, user_id, finds, said(message_id=told.id))
    before = await living(database, user_id)
    assert await learn(database, user_id, finds, said(message_id=told.id)) == []
    assert await living(database, user_id) == before
    assert len(finds.seen) == 1


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
    finds = Finds(OSLO)
    await learner(database, finds).skip(user_id, told.id)
    for message_id in (told.id, uuid4()):
        assert await learn(database, user_id, finds, said(message_id=message_id)) == []
    assert finds.seen == []


@pytest.mark.parametrize(
    "text", ["What is the capital of Norway?", "Thanks a lot!", "Hello there", "short"]
)
async def test_what_is_no_statement_reaches_no_model(
    database: Database, user_id: str, text: str
) -> None:
    told = await message(database, user_id, text)
    reader, counters = RereadsAs(OSLO.content), MemoryMetrics()
    one = learner(database, OFFLINE, counters, reader=reader)
    outcomes = await one.learn(user_id, "default", said(text, told.id), origin=LEARNING)
    assert (outcomes, reader.read) == ([], [])
    assert counted(counters, "llm_calls_skipped") == 1
    assert not await needs_learning(database, user_id, told.id)


async def test_a_short_clear_preference_needs_no_model(database: Database, user_id: str) -> None:
    reader, counters, text = RereadsAs(), MemoryMetrics(), "I prefer tea over coffee"
    one = learner(database, OFFLINE, counters, reader=reader)
    [outcome] = await one.learn(user_id, "default", said(text), origin=LEARNING)
    assert (outcome.item.content, outcome.item.type) == (text, "preference")
    assert reader.read == []
    assert counted(counters, "extraction_shortcuts") == 1
    assert counted(counters, "llm_calls_skipped") == 1


@pytest.mark.parametrize("text", ["I love the sea", "Since last year I prefer tea to coffee"])
async def test_the_shortcut_gives_what_the_offline_reader_gives(
    database: Database, user_id: str, text: str
) -> None:
    [short] = await learn(database, user_id, OFFLINE, said(text), reader=RereadsAs("Nothing"))
    other = f"{user_id}-other"
    [long] = await learn(database, other, OFFLINE, said(text), shortcut=False)
    ignored = {"id", "created_at"}
    assert short.item.model_dump(exclude=ignored) == long.item.model_dump(exclude=ignored)


async def test_the_shortcut_can_be_switched_off(database: Database, user_id: str) -> None:
    reader, text = RereadsAs(), "I prefer tea over coffee"
    await learn(database, user_id, OFFLINE, said(text), reader=reader, shortcut=False)
    assert [each.text for each in reader.read] == [text]


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
    finds, reader = Finds(OSLO, quoting), RereadsAs()
    outcomes = await learn(database, user_id, finds, said(text), reader=reader)
    assert "hunter2Xy" not in f"{finds.seen} {reader.read}"
    assert len(reader.read) == 1
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


@pytest.mark.parametrize("reader", [RereadsAs(error=ValueError()), Hangs()])
async def test_where_a_model_fails_the_offline_reading_stands(
    database: Database, user_id: str, reader: SecondReader
) -> None:
    told = await message(database, user_id)
    counters = MemoryMetrics()
    one = learner(database, OFFLINE, counters, reader=reader, extraction_timeout=0.05)
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


@pytest.mark.usefixtures("own_database_url")
async def test_without_a_database_it_fails_and_waits(database: Database, user_id: str) -> None:
    told = await message(database, user_id)
    one = learner(database, Finds(OSLO))
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await one.learn(user_id, "default", said(message_id=told.id), origin=LEARNING)
