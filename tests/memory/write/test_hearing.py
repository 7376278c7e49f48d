"""Which reader reads a message, and which reading stands."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
import structlog

from memory.counters import Counters
from memory.database import Database
from memory.dates import resolve
from memory.errors import DatabaseUnavailable
from memory.understanding import Message, OfflineReader, Reading, SecondReader, Segment
from memory.write.candidates import Candidate, Said
from memory.write.extraction import Extraction
from memory.write.hearing import Hearing
from memory.write.preparing import Preparer
from memory.write.surroundings import Surroundings
from tests.memory.fakes import WordEmbedder
from tests.memory.write.test_remember import counted

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
TELLS = "I live in Oslo these days and I play jazz with Tom."


class Reads:
    """Takes all of it for one fact, or fails; remembers what it was given."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error
        self.read: list[Message] = []

    async def read_again(self, message: Message, first: Reading) -> Reading:
        self.read.append(message)
        if self._error is not None:
            raise self._error
        return Reading((Segment(message.text, 0, len(message.text), "fact", {"fact": 1.0}),))


class Hangs:
    async def read_again(self, message: Message, first: Reading) -> Reading:
        await asyncio.Event().wait()
        raise AssertionError


def hearing(
    database: Database,
    reader: SecondReader | None,
    counters: Counters | None = None,
    *,
    shortcut: bool = True,
) -> Hearing:
    preparer = Preparer(WordEmbedder(), OfflineReader(), embedding_timeout=5.0)
    return Hearing(
        OfflineReader(),
        Extraction(resolve=resolve),
        Surroundings(database, preparer),
        counters or Counters(),
        second_reader=reader,
        timeout=0.05,
        shortcut=shortcut,
    )


async def hear(one: Hearing, user_id: str, text: str = TELLS) -> list[Candidate]:
    return await one.hear(user_id, "default", Said(text=text, said_at=AT))


def contents(found: list[Candidate]) -> list[str]:
    return [each.content for each in found]


async def test_what_the_second_reader_reads_is_kept_by_the_policy_of_both(
    database: Database, user_id: str
) -> None:
    reads = Reads()
    assert contents(await hear(hearing(database, reads), user_id)) == [TELLS.rstrip(".")]
    assert [each.text for each in reads.read] == [TELLS]


@pytest.mark.parametrize(
    "text", ["What is the capital of Norway?", "Thanks a lot!", "Hello there", "short"]
)
async def test_what_is_no_statement_reaches_no_model(
    database: Database, user_id: str, text: str
) -> None:
    reads, counters = Reads(), Counters()
    assert await hear(hearing(database, reads, counters), user_id, text) == []
    assert reads.read == []
    assert counted(counters, "llm_calls_skipped") == 1


async def test_a_short_clear_preference_needs_no_model(database: Database, user_id: str) -> None:
    reads, counters, text = Reads(), Counters(), "I prefer tea over coffee"
    [found] = await hear(hearing(database, reads, counters), user_id, text)
    assert (found.content, found.type) == (text, "preference")
    assert reads.read == []
    assert counted(counters, "extraction_shortcuts") == 1
    assert counted(counters, "llm_calls_skipped") == 1


@pytest.mark.parametrize("text", ["I love the sea", "I prefer tea to coffee since last year"])
async def test_the_shortcut_gives_what_the_offline_reader_gives(
    database: Database, user_id: str, text: str
) -> None:
    short = await hear(hearing(database, Reads()), user_id, text)
    assert short == await hear(hearing(database, None, shortcut=False), user_id, text)


async def test_the_shortcut_can_be_switched_off(database: Database, user_id: str) -> None:
    reads = Reads()
    await hear(hearing(database, reads, shortcut=False), user_id, "I prefer tea over coffee")
    assert len(reads.read) == 1


@pytest.mark.parametrize("reader", [Reads(ValueError("no JSON")), Hangs()])
async def test_where_a_model_fails_the_offline_reading_stands_and_it_is_counted(
    database: Database, user_id: str, reader: SecondReader
) -> None:
    counters = Counters()
    with structlog.testing.capture_logs() as logs:
        found = await hear(hearing(database, reader, counters), user_id)
    assert found == await hear(hearing(database, None), user_id)
    assert found != []
    warned = [each["event"] for each in logs if each["log_level"] == "warning"]
    assert warned == ["read_offline"]
    assert counted(counters, "extraction_failures") == 1


async def test_without_a_database_no_model_is_asked_and_the_message_waits(
    database: Database, user_id: str
) -> None:
    reads = Reads()
    one = hearing(database, reads)
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await hear(one, user_id)
    assert reads.read == []


async def test_what_is_little_more_than_a_secret_is_not_kept(
    database: Database, user_id: str
) -> None:
    text = "My password is [password removed]"
    assert await hear(hearing(database, Reads()), user_id, text) == []
