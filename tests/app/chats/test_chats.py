"""The registry of running turns, over a real assistant and a model that is held in the middle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from agent.models.offline import OfflineModel
from app.api.streaming import ChatTurn, RequestKey, TurnRequest
from app.api.turns import MAX_TURNS_OF_USER, TurnRegistry
from memory.errors import (
    DatabaseUnavailable,
    KeyReused,
    ServerStopping,
    TooBusy,
    TooManyTurns,
    TurnNotFound,
    TurnUnderWay,
)
from memory.store.database import Database
from tests.agent.turns import Assist, read_exchange
from tests.app.streaming import Held

REPLY_AWAY = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT ON messages
        FOR EACH ROW WHEN (NEW.role = 'assistant') EXECUTE FUNCTION refuse()
"""


@pytest.fixture
def held() -> Held:
    return Held("You said: ", "a red kayak.")


@pytest.fixture
async def chats(assist: Assist, held: Held) -> AsyncIterator[TurnRegistry]:
    made = TurnRegistry(assist(held.model), resume_seconds=60)
    yield made
    await made.aclose()


def asking(user_id: str, text: str = "Tell me", **more: Any) -> TurnRequest:
    return TurnRequest(user_id, uuid4(), "default", text, uuid4(), **more)


async def events_of(turn: ChatTurn) -> dict[str, dict[str, Any]]:
    """The data of the last event of each name."""
    return {told.name: json.loads(told.data) async for told in turn.follow()}


async def until_text(turn: ChatTurn) -> None:
    async for told in turn.follow():
        if told.name == "text":
            return


async def as_owner(database: Database, statement: str) -> None:
    async with database.as_user("-") as connection:
        await connection.execute("RESET ROLE")
        await connection.execute(statement)


async def test_it_is_counted_while_it_runs(chats: TurnRegistry, held: Held, user_id: str) -> None:
    turn = chats.begin(asking(user_id))
    leave = turn.subscribe()
    assert (chats.running, chats.listeners) == (1, 1)

    held.let_go()
    await turn.closed.wait()
    leave()

    assert (chats.running, chats.listeners) == (0, 0)
    assert chats.find(user_id, turn.id) is turn


async def test_nobody_else_finds_it(chats: TurnRegistry, user_id: str) -> None:
    turn = chats.begin(asking(user_id))

    with pytest.raises(TurnNotFound):
        chats.find("somebody", turn.id)
    with pytest.raises(TurnNotFound):
        chats.find(user_id, uuid4())
    assert chats.running_in("somebody", turn.asked.conversation_id) is None


async def test_one_turn_of_a_conversation_at_a_time(chats: TurnRegistry, user_id: str) -> None:
    asked = asking(user_id)
    chats.begin(asked)

    with pytest.raises(TurnUnderWay):
        chats.begin(replace(asked, turn_id=uuid4()))


async def test_the_same_key_is_the_same_turn(chats: TurnRegistry, user_id: str) -> None:
    turn = chats.begin(asking(user_id, keyed=RequestKey("k", "Tell me")))

    assert chats.earlier(user_id, RequestKey("k", "Tell me")) is turn
    with pytest.raises(KeyReused):
        chats.earlier(user_id, RequestKey("k", "Something else"))
    assert chats.earlier(user_id, RequestKey("another", "Tell me")) is None
    assert chats.earlier("somebody", RequestKey("k", "Tell me")) is None


async def test_a_user_has_so_many_at_once(assist: Assist, user_id: str) -> None:
    chats = TurnRegistry(assist(Waiting()), resume_seconds=60)
    for _ in range(MAX_TURNS_OF_USER):
        chats.begin(asking(user_id))

    with pytest.raises(TooManyTurns):
        chats.begin(asking(user_id))
    chats.begin(asking("somebody"))
    await chats.aclose()


async def test_all_users_together_have_so_many_at_once(assist: Assist, user_id: str) -> None:
    chats = TurnRegistry(assist(Waiting()), resume_seconds=60, most_running=2)
    for each in (user_id, "somebody"):
        chats.begin(asking(each))

    with pytest.raises(TooBusy):
        chats.begin(asking("somebody else"))
    await chats.aclose()


class Waiting(OfflineModel):
    """Never answers."""

    async def stream_response(self, *given: object, **more: object) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield


async def test_draining_lets_a_reply_end(
    chats: TurnRegistry, held: Held, database: Database, user_id: str
) -> None:
    turn = chats.begin(asking(user_id))
    await until_text(turn)

    draining = asyncio.create_task(chats.drain(60))
    await asyncio.sleep(0)
    with pytest.raises(ServerStopping):
        chats.begin(asking(user_id))
    held.let_go()
    await draining

    told = await events_of(turn)
    assert told["done"]["status"] == "complete"
    assert "end" in told
    assert (await read_exchange(database, user_id))[1][1] == "You said: a red kayak."


async def test_what_does_not_end_in_time_is_stored_as_far_as_it_went(
    chats: TurnRegistry, database: Database, user_id: str
) -> None:
    turn = chats.begin(asking(user_id))
    await until_text(turn)

    await chats.drain(0)

    assert (await events_of(turn))["done"]["status"] == "interrupted"
    assert (await read_exchange(database, user_id))[1] == (
        "assistant",
        "You said:",
        "interrupted",
    )


@pytest.mark.usefixtures("own_database_url")
async def test_a_database_that_is_away_fails_the_turn(
    chats: TurnRegistry, database: Database, user_id: str
) -> None:
    await database.close()

    turn = chats.begin(asking(user_id))

    with pytest.raises(DatabaseUnavailable):
        await turn.opened()
    await turn.closed.wait()
    with pytest.raises(TurnNotFound):
        chats.find(user_id, turn.id)
    assert chats.running == 0


@pytest.mark.usefixtures("own_database_url")
async def test_a_database_that_goes_away_in_the_middle_is_told(
    chats: TurnRegistry, held: Held, database: Database, user_id: str
) -> None:
    turn = chats.begin(asking(user_id))
    await until_text(turn)
    await as_owner(database, REPLY_AWAY)
    held.let_go()

    done = (await events_of(turn))["done"]

    assert (done["status"], done["saved"]) == ("complete", False)
    assert len(done["notices"]) == 1


async def test_a_closed_conversation_takes_no_turn(chats: TurnRegistry, user_id: str) -> None:
    asked = asking(user_id)
    turn = chats.begin(asked)

    async with chats.closed(user_id, asked.conversation_id):
        assert turn.closed.is_set()
        with pytest.raises(TurnUnderWay):
            chats.begin(replace(asked, turn_id=uuid4()))

    assert chats.begin(replace(asked, turn_id=uuid4())).id != turn.id


async def test_what_is_under_way_when_words_are_forgotten_is_not_kept(
    chats: TurnRegistry, held: Held, user_id: str
) -> None:
    turn = chats.begin(asking(user_id))
    await until_text(turn)
    theirs = chats.begin(asking("somebody"))

    chats.discard_events(user_id)
    assert chats.find(user_id, turn.id) is turn
    held.let_go()
    await events_of(turn)
    await asyncio.sleep(0)

    with pytest.raises(TurnNotFound):
        chats.find(user_id, turn.id)
    assert chats.find("somebody", theirs.id) is theirs
