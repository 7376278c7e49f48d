"""Specification 001, user story 2: conversations are durably stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from agents.items import TResponseStreamEvent
from agents.testing import ModelCall, ModelStep, ScriptedModel

from agent.models.offline import OfflineModel
from agent.turn.events import TextDelta, TurnClosed, TurnOpened
from memory.cache import Cache
from memory.errors import DatabaseUnavailable, ReplyFailed
from memory.service import MemoryService
from memory.store.database import Database
from memory.types import NewMemory
from tests.acceptance.conftest import Fragile, Parts
from tests.agent.scripts import asks_memory, delta, said_by, says, streams, tool_output
from tests.agent.turns import Assist, assists, read_exchange, read_messages, take_turn


async def test_us2_1_a_processed_message_is_stored_with_user_time_and_content(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """Given a message is sent, conversation and message are in PostgreSQL once it is processed."""
    began = datetime.now(UTC)
    told = await take_turn(assist(ScriptedModel([says("Hello.")])), user_id, conversation, "Hi you")
    [opened] = [event for event in told.events if isinstance(event, TurnOpened)]
    said, replied = await read_messages(database, user_id)
    assert (said["user_id"], said["role"], said["content"]) == (user_id, "user", "Hi you")
    assert said["conversation_id"] == replied["conversation_id"] == conversation
    assert said["correlation_id"] == replied["correlation_id"] == opened.correlation_id
    assert began <= said["created_at"] <= replied["created_at"] <= datetime.now(UTC)
    async with database.as_user(user_id) as connection:
        kept = await connection.fetchrow("SELECT * FROM conversations")
    assert kept is not None
    assert (kept["user_id"], kept["id"], kept["title"]) == (user_id, conversation, "Hi you")


async def test_us2_1_the_message_is_stored_before_the_model_is_asked(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """The user's message is there when the model runs, so that no failure of it loses a word."""
    seen: list[tuple[str, str, str]] = []

    async def look(_: object) -> list[Any]:
        seen.extend(await read_exchange(database, user_id))
        return says("Yes.")

    model = ScriptedModel([ModelStep.respond(look)])
    await take_turn(assist(model), user_id, conversation, "Are you there?")
    assert seen == [("user", "Are you there?", "complete")]


async def test_us2_2_a_conversation_of_an_earlier_session_stays_accessible(
    assist: Assist, parts: Parts, no_redis: Cache, database_url: str, user_id: str
) -> None:
    """A new session, with connections of its own and an empty cache, still has the conversation:
    it is listed, and the model is given it when it goes on."""
    conversation = uuid4()
    first = assist(ScriptedModel([says("Lisbon is nice.")]))
    await take_turn(first, user_id, conversation, "I moved to Lisbon")
    await first.aclose()
    later = await Database.open(database_url)
    memory = replace(parts, database=later).memory(cache=no_redis)
    model = ScriptedModel([says("To Lisbon.")])
    async with assists(memory, no_redis) as make:
        told = await take_turn(make(model), user_id, conversation, "Where did I move?")
    listed = await memory.conversations.list_conversations(user_id)
    await later.close()
    assert told.error is None
    assert [each.id for each in listed] == [conversation]
    assert said_by(model.calls[0], "user") == ["I moved to Lisbon", "Where did I move?"]
    assert said_by(model.calls[0], "assistant") == ["Lisbon is nice."]


async def test_us2_3_a_streamed_reply_is_stored_when_its_last_chunk_is_out(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """The reply becomes a message of the conversation after its last chunk, before the turn
    closes."""
    assistant = assist(OfflineModel())
    chunks, while_streaming, at_the_end = "", [], []
    async for event in assistant.answer(user_id, conversation, "What is my name?"):
        if isinstance(event, TextDelta):
            chunks += event.text
            while_streaming.append(await read_exchange(database, user_id))
        elif isinstance(event, TurnClosed):
            at_the_end = await read_exchange(database, user_id)
            assert (event.status, event.saved) == ("complete", True)
    assert len(while_streaming) > 1
    assert all(stored == [at_the_end[0]] for stored in while_streaming)
    assert at_the_end[1] == ("assistant", chunks, "complete")


async def test_us2_3_a_caller_that_stops_listening_leaves_an_interrupted_reply(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """A reply whose listener went away is stored as far as it went, and marked."""
    model = ScriptedModel([streams("One,", " two,", " three")])
    turn = assist(model).answer(user_id, conversation, "Count")
    async for event in turn:
        if isinstance(event, TextDelta):
            break
    await turn.aclose()  # type: ignore[attr-defined]
    assert await read_exchange(database, user_id) == [
        ("user", "Count", "complete"),
        ("assistant", "One,", "interrupted"),
    ]


async def test_us2_3_when_the_caller_stops_listening_the_model_stops_first(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """What the model would still do has no effect: its run has ended before the reply is stored."""
    ended: list[list[tuple[str, str, str]]] = []

    async def pour(_: ModelCall) -> AsyncIterator[TResponseStreamEvent]:
        try:
            yield delta("One, ")
            await asyncio.Event().wait()
        finally:
            ended.append(await read_exchange(database, user_id))

    turn = assist(ScriptedModel([ModelStep.stream(pour)])).answer(user_id, conversation, "Count")
    async for event in turn:
        if isinstance(event, TextDelta):
            break
    await turn.aclose()  # type: ignore[attr-defined]
    assert ended == [[("user", "Count", "complete")]]


async def test_us2_3_a_cancelled_turn_leaves_an_interrupted_reply(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """Cancelled twice in a row, as an impatient Ctrl-C does, the turn still stores the reply."""
    began, never = asyncio.Event(), asyncio.Event()

    async def wait_for_ever(_: object) -> list[Any]:
        began.set()
        await never.wait()
        return says("never")

    assistant = assist(ScriptedModel([ModelStep.respond(wait_for_ever)]))
    turn = asyncio.create_task(take_turn(assistant, user_id, conversation, "Take your time"))
    await began.wait()
    turn.cancel()
    asyncio.get_running_loop().call_soon(turn.cancel)
    await asyncio.wait([turn])
    await assistant.aclose()
    assert turn.cancelled()
    assert await read_exchange(database, user_id) == [
        ("user", "Take your time", "complete"),
        ("assistant", "", "interrupted"),
    ]


async def test_us2_3_a_model_that_fails_in_mid_stream_leaves_a_failed_reply(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """A reply that the model broke off is stored as far as it went; the person is told so."""
    model = ScriptedModel([streams("It is about", then=OSError("secret-host:443 went away"))])
    told = await take_turn(assist(model), user_id, conversation, "How far is it?")
    assert isinstance(told.error, ReplyFailed)
    assert "secret-host" not in str(told.error)
    assert told.closed.status == "failed"
    assert (await read_exchange(database, user_id))[1] == ("assistant", "It is about", "failed")


@pytest.mark.parametrize(
    ("replied", "stored"),
    [
        ("a\x00b", "ab"),
        ("smile \ud83d\ude00.", "smile ."),
        ("\x1b[31mred\r\nnext", "[31mred\nnext"),
    ],
    ids=["nul", "surrogates", "control"],
)
async def test_us2_3_a_reply_with_what_no_database_takes_is_stored_without_it(
    assist: Assist, database: Database, user_id: str, replied: str, stored: str
) -> None:
    """NUL, control characters and lone surrogates in a reply lose themselves, not the reply."""
    model = ScriptedModel([streams(replied, then=OSError())])
    told = await take_turn(assist(model), user_id, uuid4(), "Say it")
    assert ascii(told.text) == ascii(replied)
    assert (await read_exchange(database, user_id))[1] == ("assistant", stored, "failed")


async def test_us2_4_without_the_database_a_turn_fails_closed_and_recovers(
    fragile: Fragile, database: Database, user_id: str, conversation: UUID
) -> None:
    """Given the database is away, a message fails with a clear error and nothing half-written;
    the same program answers again when it is back."""
    assistant = fragile.assist(OfflineModel())
    await take_turn(assistant, user_id, conversation, "remember that my bike is green")
    await fragile.door.shut()
    lost = await take_turn(assistant, user_id, conversation, "What colour is my bike?")
    assert isinstance(lost.error, DatabaseUnavailable)
    assert "nothing was saved" in str(lost.error)
    assert lost.events == []
    assert len(await read_messages(database, user_id)) == 2
    await fragile.door.open()
    back = await take_turn(assistant, user_id, conversation, "What colour is my bike?")
    assert back.error is None
    assert "my bike is green" in back.text
    assert len(await read_messages(database, user_id)) == 4


async def test_us2_4_a_reply_that_could_not_be_saved_is_saved_when_the_database_is_back(
    fragile: Fragile, memory: MemoryService, database: Database, user_id: str, conversation: UUID
) -> None:
    """Given the database dies in mid-answer, the reply reaches the person without memory, they are
    told that it is not saved yet, and the next turn saves it first."""
    await memory.remember(user_id, NewMemory(content="My bike is green"))

    async def lose_the_database(_: object) -> list[Any]:
        await fragile.door.shut()
        return asks_memory("bike colour")

    model = ScriptedModel([ModelStep.respond(lose_the_database), says("I cannot look just now.")])
    assistant = fragile.assist(model)
    told = await take_turn(assistant, user_id, conversation, "What colour is my bike?")
    assert told.text == "I cannot look just now."
    assert told.error is None
    assert tool_output(model.calls[-1])["metadata"]["error"] is True
    assert told.closed.saved is False
    assert any("will be saved" in notice for notice in told.closed.notices)
    assert len(await read_messages(database, user_id)) == 1
    await fragile.door.open()
    model.enqueue(says("Green."))
    await take_turn(assistant, user_id, conversation, "And now?")
    exchange = await read_exchange(database, user_id)
    assert [content for _, content, _ in exchange] == [
        *("What colour is my bike?", "I cannot look just now."),
        *("And now?", "Green."),
    ]
    assert said_by(model.calls[-1], "assistant") == ["I cannot look just now."]


async def test_us2_4_two_turns_at_once_save_an_unsaved_reply_once(
    fragile: Fragile, database: Database, user_id: str, conversation: UUID
) -> None:
    """A reply that waits to be saved is saved once, however many turns find it waiting."""

    async def lose_the_database(_: object) -> list[Any]:
        await fragile.door.shut()
        return says("Unsaved.")

    assistant = fragile.assist(
        ScriptedModel([ModelStep.respond(lose_the_database), *[says("Fine.")] * 3])
    )
    await take_turn(assistant, user_id, conversation, "first")
    await fragile.door.open()
    others = [take_turn(assistant, user_id, uuid4(), f"again {n}") for n in range(3)]
    told = await asyncio.gather(*others)
    assert [each.error for each in told] == [None] * 3
    contents = [content for _, content, _ in await read_exchange(database, user_id)]
    assert contents.count("Unsaved.") == 1
    assert contents.count("Fine.") == 3
