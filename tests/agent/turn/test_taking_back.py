"""“Retry” and “edit last message”: the last turn goes, with what was learned from it alone."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from agent.assistant import Assistant
from agent.commands.parser import Command
from agent.models.offline import OfflineModel
from agent.turn.events import TurnClosed
from memory.cache import Cache, SessionCache
from memory.errors import DatabaseUnavailable, KeepsakeError, NotTheLastTurn
from memory.service import MemoryService
from memory.store.database import Database
from tests.agent.chatting import Chat
from tests.agent.turns import Assist, Told, read_exchange, read_messages

BERGEN = "I live in Bergen"
OSLO = "I live in Oslo now"


class Talk(Chat):
    """Knows the last turn, and says something in its place."""

    @property
    def last_turn(self) -> UUID:
        turn: UUID = getattr(self.told.events[0], "correlation_id")  # noqa: B009
        return turn

    async def instead(self, text: str, turn: UUID | None = None) -> Told:
        told = Told()
        try:
            async for event in self.assistant.answer(
                self.user_id, self.conversation, text, instead_of=turn or self.last_turn
            ):
                told.events.append(event)
                if isinstance(event, TurnClosed):
                    self.assistant.note_shown(self.user_id, self.conversation, event.question)
        except KeepsakeError as error:
            told.error = error
        else:
            self.told = told
        return told


@pytest.fixture
def assistant(assist: Assist) -> Assistant:
    return assist(OfflineModel())


@pytest.fixture
def talk(assistant: Assistant, memory: MemoryService, database: Database, user_id: str) -> Talk:
    return Talk(assistant, memory, database, user_id)


async def test_an_edited_message_takes_the_place_of_the_turn(talk: Talk) -> None:
    await talk.say("Hello there")
    await talk.say("I own a red kayak")
    await talk.noticed()

    await talk.instead("I own a blue kayak")
    await talk.noticed()

    exchange = await read_exchange(talk.database, talk.user_id)
    assert [role for role, _, _ in exchange] == ["user", "assistant"] * 2
    assert await talk.said() == ["Hello there", "I own a blue kayak"]
    assert await talk.known() == {"I own a blue kayak"}
    assert [each.content for each in talk.told.closed.forgotten] == ["I own a red kayak"]


async def test_what_was_forgotten_so_can_be_brought_back(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()

    await talk.instead("Good morning to you")

    assert await talk.known() == set()
    assert "It is back" in await talk.do(Command("undo"))
    assert await talk.known() == {"I own a red kayak"}


async def test_it_is_learned_again_when_it_is_said_again(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()
    await talk.instead("Good morning to you")

    await talk.instead("I own a red kayak")

    assert await talk.noticed() == ["noted: I own a red kayak"]


async def test_a_retry_learns_nothing_twice(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()

    await talk.instead("I own a red kayak")

    assert await talk.noticed() == []
    [kept] = await talk.memory.list_recent(talk.user_id)
    [said, _] = await read_messages(talk.database, talk.user_id)
    assert (kept.repeat_count, kept.source_message_id) == (0, said["id"])
    assert talk.told.closed.forgotten == ()


async def test_a_retried_message_can_still_be_edited(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()
    await talk.instead("I own a red kayak")

    await talk.instead("Good morning to you")

    assert await talk.known() == set()


async def test_what_it_had_replaced_holds_again(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()
    await talk.say("I own a blue kayak now")
    await talk.noticed()
    assert "I own a red kayak" not in await talk.known()

    await talk.instead("Good morning to you")

    assert await talk.known() == {"I own a red kayak"}
    assert "unsuperseded" in await talk.actions()


async def test_what_was_known_before_stays_and_is_counted_once_less(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()
    await talk.say("I own a red kayak")
    await talk.noticed()

    await talk.instead("Good morning to you")

    [kept] = await talk.memory.list_recent(talk.user_id)
    assert (kept.content, kept.repeat_count) == ("I own a red kayak", 0)


async def test_what_was_pinned_since_stays(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()
    await talk.do(Command("pin"))

    await talk.instead("Good morning to you")

    assert await talk.known() == {"I own a red kayak"}


async def test_only_the_last_turn_can_be_taken_back(talk: Talk) -> None:
    await talk.say("Hello there")
    first = talk.last_turn
    await talk.say("I own a red kayak")

    told = await talk.instead("Good morning", first)
    unknown = await talk.instead("Good morning", uuid4())

    assert isinstance(told.error, NotTheLastTurn)
    assert isinstance(unknown.error, NotTheLastTurn)
    assert await talk.said() == ["Hello there", "I own a red kayak"]


async def test_not_by_somebody_else(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    other = Talk(talk.assistant, talk.memory, talk.database, f"{talk.user_id}-other")
    other.conversation = talk.conversation

    told = await other.instead("Good morning", talk.last_turn)

    assert isinstance(told.error, NotTheLastTurn)
    assert await talk.said() == ["I own a red kayak"]


async def test_the_title_follows_the_first_message(talk: Talk) -> None:
    await talk.say("I own a red kayak")

    await talk.instead("I own a blue kayak")

    [listed] = await talk.memory.conversations.list_conversations(talk.user_id)
    assert listed.title == "I own a blue kayak"


async def test_no_cached_copy_is_left(talk: Talk, cache: Cache) -> None:
    await talk.say("I own a red kayak")
    await talk.instead("Good morning to you")

    state = await SessionCache(cache).load(talk.user_id, str(talk.conversation))

    assert state is None or "red" not in str(state)


async def test_incognito_too(talk: Talk) -> None:
    await talk.say("go incognito")
    await talk.say("I own a red kayak")

    told = await talk.instead("I own a blue kayak")

    assert told.error is None
    unstored = talk.memory.for_privacy("incognito").conversations
    messages = await unstored.read_recent(talk.user_id, talk.conversation, 10)
    said = [each.content for each in messages if each.role == "user"]
    assert said == ["I own a blue kayak"]
    assert await talk.said() == []


@pytest.mark.usefixtures("own_database_url")
async def test_where_the_database_is_away_the_old_turn_stays(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()
    async with talk.database.as_user(talk.user_id) as connection:
        await connection.execute("RESET ROLE")
        await connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN RAISE EXCEPTION SQLSTATE '57P01'; END$$"
        )
        await connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON messages"
            " FOR EACH ROW WHEN (NEW.content LIKE 'Good%') EXECUTE FUNCTION refuse()"
        )

    told = await talk.instead("Good morning to you")

    assert isinstance(told.error, DatabaseUnavailable)
    assert await talk.said() == ["I own a red kayak"]
    assert await talk.known() == {"I own a red kayak"}


async def test_a_command_to_remember_is_taken_back_with_what_it_kept(talk: Talk) -> None:
    await talk.say("remember that I own a red kayak")

    await talk.instead("remember that I own a blue kayak")

    [kept] = await talk.memory.list_recent(talk.user_id)
    assert "blue" in kept.content


async def test_a_retried_command_is_not_counted_again(talk: Talk) -> None:
    await talk.say("remember that I own a red kayak")

    await talk.instead("remember that I own a red kayak")

    [kept] = await talk.memory.list_recent(talk.user_id)
    assert kept.repeat_count == 0


async def test_going_incognito_in_its_place_leaves_nothing_of_it(talk: Talk) -> None:
    await talk.say("I own a red kayak")
    await talk.noticed()

    await talk.instead("go incognito")

    assert await talk.said() == []
    assert await talk.known() == set()


async def test_what_sounds_like_a_correction_is_learned_where_it_is_said_anew(talk: Talk) -> None:
    """What it would correct goes with the turn whose place it takes."""
    await talk.say("I own a red kayak")
    await talk.noticed()
    await talk.instead("No wait, I own a blue kayak, not a red one")
    await talk.noticed()
    [known] = await talk.known()
    assert "blue" in known
