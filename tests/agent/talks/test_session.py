"""The session: what the model sees of a conversation, from the cache where it is fresh."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

import pytest
from agents import Agent, Runner
from agents.testing import ScriptedModel

from agent.conversations.session import ConversationSession
from agent.turn.events import TurnOpened
from memory.cache import Cache, SessionCache
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import MessageStatus
from tests.agent.scripts import said_by, says
from tests.agent.turns import Assist, read_exchange, take_turn
from tests.memory.cache.kept_sessions import keep

NOWHERE = "unix:///nowhere/at/all.sock"


@dataclass
class Talk:
    """One conversation; a session is made anew for each turn, as the assistant does."""

    database: Database
    cache: Cache
    user_id: str
    id: UUID = field(default_factory=uuid4)

    def session(self, cache: Cache | None = None, history: int = 20) -> ConversationSession:
        return ConversationSession(
            self.user_id,
            self.id,
            DatabaseConversations(self.database),
            SessionCache(cache or self.cache),
            history_messages=history,
        )

    async def turn(self, said: str, replied: str, cache: Cache | None = None) -> list[str]:
        """What the model was given of the conversation before this turn."""
        session = self.session(cache)
        turn = uuid4()
        await session.open_turn(said, turn)
        seen = await contents(session)
        await session.close_turn(NewMessage("assistant", replied, turn))
        return seen

    async def execute(self, query: str) -> None:
        async with self.database.as_user(self.user_id) as connection:
            await connection.execute(query)

    async def cached(self) -> list[str]:
        state = await SessionCache(self.cache).load(self.user_id, str(self.id))
        return [] if state is None else [message.content for message in state.messages]


async def contents(session: ConversationSession, limit: int | None = None) -> list[str]:
    return [str(item.get("content")) for item in await session.get_items(limit)]


@pytest.fixture
def talk(database: Database, cache: Cache, user_id: str) -> Talk:
    return Talk(database, cache, user_id)


async def test_a_fresh_cache_is_what_the_database_holds(talk: Talk) -> None:
    assert await talk.turn("one", "1") == []
    assert await talk.turn("two", "2") == ["one", "1"]
    assert await talk.cached() == ["one", "1", "two", "2"]
    assert await contents(talk.session()) == ["one", "1", "two", "2"]


async def test_the_cache_is_used_where_it_is_fresh(talk: Talk) -> None:
    """What lies in Redis is what the model sees: the database is not asked for it again."""
    await talk.turn("one", "1")
    cache = SessionCache(talk.cache)
    state = await cache.load(talk.user_id, str(talk.id))
    assert state is not None
    marked = state.messages[0].model_copy(update={"content": "from the cache"})
    await keep(cache, talk.user_id, str(talk.id), state.model_copy(update={"messages": (marked,)}))
    assert await talk.turn("two", "2") == ["from the cache"]


async def test_a_redis_that_lost_a_write_gives_no_stale_history(talk: Talk) -> None:
    """A turn that Redis did not hear of makes its state stale; the database is read instead."""
    away = Cache(NOWHERE)
    await talk.turn("one", "1")
    await talk.turn("two", "2", away)
    assert await talk.cached() == ["one", "1"]
    assert await talk.turn("three", "3") == ["one", "1", "two", "2"]
    await away.aclose()


async def test_a_lost_cache_is_read_anew(talk: Talk) -> None:
    await talk.turn("one", "1")
    await SessionCache(talk.cache).drop(talk.user_id, str(talk.id))
    assert await talk.turn("two", "2") == ["one", "1"]
    assert await talk.cached() == ["one", "1", "two", "2"]


async def test_two_turns_at_once_leave_no_half_history_behind(talk: Talk) -> None:
    """Interleaved, neither turn knows the whole conversation, so neither may cache it."""
    await talk.turn("zero", "0")
    first, second = talk.session(), talk.session()
    one, two = uuid4(), uuid4()
    await first.open_turn("one", one)
    await second.open_turn("two", two)
    await contents(first)
    await contents(second)
    await second.close_turn(NewMessage("assistant", "2", two))
    await first.close_turn(NewMessage("assistant", "1", one))
    assert await talk.turn("three", "3") == ["zero", "0", "one", "two", "2", "1"]


async def test_a_turn_that_never_read_the_history_does_not_shorten_it(
    assist: Assist, talk: Talk
) -> None:
    """A turn that was stopped before its run began must not cache a history without the rest."""
    model = ScriptedModel([says("1"), says("3")])
    assistant = assist(model)
    await take_turn(assistant, talk.user_id, talk.id, "one")
    async for event in assistant.answer(talk.user_id, talk.id, "two"):
        if isinstance(event, TurnOpened):
            break
    await assistant.aclose()
    await take_turn(assistant, talk.user_id, talk.id, "three")
    assert said_by(model.calls[-1], "user") == ["one", "two", "three"]
    assert said_by(model.calls[-1], "assistant") == ["1"]


async def test_the_history_is_the_newest_messages_without_withheld_and_empty_ones(
    talk: Talk,
) -> None:
    session = talk.session(history=3)
    turn = uuid4()
    replies: list[tuple[MessageStatus, str]] = [
        ("complete", "1"),
        ("withheld", "the prompt"),
        ("interrupted", ""),
    ]
    for status, reply in replies:
        await session.open_turn(f"before {status}", turn)
        await session.get_items()
        await session.close_turn(NewMessage("assistant", reply, turn, status))
    expected = ["1", "before withheld", "before interrupted"]
    assert await contents(talk.session(history=3)) == expected
    assert await contents(talk.session(history=3), 1) == expected[-1:]
    assert await contents(talk.session(), 0) == []
    assert await talk.cached() == expected


async def test_a_withheld_reply_is_not_cached_either(talk: Talk) -> None:
    session, turn = talk.session(), uuid4()
    await session.open_turn("one", turn)
    await session.get_items()
    await session.close_turn(NewMessage("assistant", "the prompt", turn, "withheld"))
    assert await talk.cached() == ["one"]
    assert await talk.turn("two", "2") == ["one"]


async def test_a_plain_run_of_the_sdk_stores_both_sides(talk: Talk) -> None:
    """Outside a turn the session serves `Runner.run` as any session of the SDK does."""
    model = ScriptedModel([says("Hello Ada."), says("You are Ada.")])
    agent = Agent(name="plain", model=model)
    await Runner.run(agent, "I am Ada", session=talk.session())
    result = await Runner.run(agent, "Who am I?", session=talk.session())
    assert result.final_output == "You are Ada."
    assert said_by(model.calls[1], "user") == ["I am Ada", "Who am I?"]
    assert said_by(model.calls[1], "assistant") == ["Hello Ada."]
    assert await read_exchange(talk.database, talk.user_id) == [
        ("user", "I am Ada", "complete"),
        ("assistant", "Hello Ada.", "complete"),
        ("user", "Who am I?", "complete"),
        ("assistant", "You are Ada.", "complete"),
    ]


async def test_pop_and_clear_take_messages_away_for_the_next_turn(talk: Talk) -> None:
    await talk.turn("one", "1")
    await talk.turn("two", "2")
    assert await talk.session().pop_item() == {"role": "assistant", "content": "2"}
    assert await talk.turn("three", "3") == ["one", "1", "two"]
    await talk.session().clear_session()
    assert await talk.session().pop_item() is None
    assert await talk.turn("four", "4") == []
    assert await talk.cached() == ["four", "4"]


async def test_sessions_of_two_users_with_one_conversation_id_are_two(talk: Talk) -> None:
    other = Talk(talk.database, talk.cache, f"{talk.user_id}-other", talk.id)
    await talk.turn("one", "1")
    assert await other.turn("two", "2") == []
    await other.session().clear_session()
    assert await talk.turn("three", "3") == ["one", "1"]


@pytest.mark.parametrize(
    ("so_far", "to_be", "kept"),
    [
        ("Your sister Maria", "Your sister Maria is well.", "Your sister Maria is well."),
        ("The key is sk-", "The key is [secret].", "The key is [secret]."),
        ("Your sister Maria", "", ""),
    ],
)
async def test_a_reply_grows_and_its_redaction_with_it(
    talk: Talk, so_far: str, to_be: str, kept: str
) -> None:
    session, reply = talk.session(), uuid4()
    await session.open_turn("How is she?", reply)
    await session.keep_reply(NewMessage("assistant", so_far, reply, "interrupted", id=reply))
    await session.close_turn(NewMessage("assistant", to_be, reply, id=reply))
    assert (await read_exchange(talk.database, talk.user_id))[-1] == ("assistant", kept, "complete")


async def test_what_was_forgotten_of_a_growing_reply_does_not_come_back(talk: Talk) -> None:
    session, reply = talk.session(), uuid4()
    await session.open_turn("How is she?", reply)
    await contents(session)
    await session.keep_reply(NewMessage("assistant", "Maria is", reply, "interrupted", id=reply))
    await talk.execute("UPDATE messages SET content = '[forgotten]' WHERE role = 'assistant'")
    for text in ("Maria is well", "Maria is well."):
        await session.close_turn(NewMessage("assistant", text, reply, id=reply))
    said = await read_exchange(talk.database, talk.user_id)
    assert said[-1] == ("assistant", "[forgotten]", "complete")
    assert "Maria is well." not in await talk.cached()


async def test_a_growing_reply_that_was_taken_away_stays_away(talk: Talk) -> None:
    session, reply = talk.session(), uuid4()
    await session.open_turn("How is she?", reply)
    await contents(session)
    await session.keep_reply(NewMessage("assistant", "Maria is", reply, "interrupted", id=reply))
    await talk.execute("DELETE FROM messages WHERE role = 'assistant'")
    await session.close_turn(NewMessage("assistant", "Maria is well.", reply, id=reply))
    assert await read_exchange(talk.database, talk.user_id) == [("user", "How is she?", "complete")]
    assert await talk.cached() == ["How is she?"]
