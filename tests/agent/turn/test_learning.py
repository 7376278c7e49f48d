"""Learning behind the reply: never in its way, told once, asked about where it is doubtful."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest
from agents import Model, ModelSettings
from agents.testing import ScriptedModel

from agent.assistant import Assistant
from agent.models.offline import OfflineModel
from agent.turn.lifecycle import AssistantSettings
from agent.turn.notices import READ_IN_PART
from memory.cache import Cache, SessionCache
from memory.store.database import Database
from memory.types import NewMemory
from memory.understanding import Interpretation, MessageText, OfflineReader, SecondReader
from tests.agent.chatting import Chat
from tests.agent.conftest import MemoryBy
from tests.agent.scripts import says
from tests.agent.turns import read_messages
from tests.claims import claim_of_an_ended_program, leave_claimed
from tests.memory.fakes import RereadsAs

SISTER = "My sister Maria lives in Oslo"


@dataclass
class Held:
    """A second reader that takes the whole message for one fact, as soon as it is let go."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    seen: list[str] = field(default_factory=list)

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        self.seen.append(message.text)
        self.begun.set()
        await self.let_go.wait()
        return await RereadsAs().read_again(message, first)


@dataclass
class Talker:
    """Makes conversations with an assistant that learns with the second reader."""

    make: MemoryBy
    cache: Cache
    database: Database
    user_id: str
    stack: AsyncExitStack

    def talk(self, reader: SecondReader | None = None, model: Model | None = None) -> Chat:
        memory = self.make(reader)
        limits = AssistantSettings(settle_timeout=0.01 if isinstance(reader, Held) else 5.0)
        parts = (model or OfflineModel(), ModelSettings(), memory, SessionCache(self.cache))
        assistant = Assistant(*parts, limits, OfflineReader())
        self.stack.push_async_callback(assistant.aclose)
        return Chat(assistant, memory, self.database, self.user_id)


Talk: TypeAlias = Callable[..., Chat]


@pytest.fixture
async def talk(
    memory_by: MemoryBy, cache: Cache, database: Database, user_id: str
) -> AsyncIterator[Talk]:
    async with AsyncExitStack() as stack:
        yield Talker(memory_by, cache, database, user_id, stack).talk


async def waiting(chat: Chat) -> list[str]:
    """The messages that are still to be learned from."""
    rows = await read_messages(chat.database, chat.user_id)
    return [row["content"] for row in rows if row["needs_learning"]]


async def test_the_reply_does_not_wait_for_what_is_learned(talk: Talk) -> None:
    held = Held()
    chat = talk(held)
    assert await chat.say(f"{SISTER}.") != ""
    assert chat.told.closed.status == "complete"
    await held.begun.wait()
    assert await chat.known() == set()
    held.let_go.set()
    assert await chat.noticed() == [f"noted: {SISTER}"]
    assert await chat.known() == {SISTER}
    assert await waiting(chat) == []


async def test_news_is_told_once_and_a_repeat_is_none(talk: Talk) -> None:
    chat = talk()
    await chat.say(f"{SISTER}.")
    assert await chat.noticed() == [f"noted: {SISTER}"]
    assert await chat.noticed() == []
    await chat.say(f"{SISTER}.")
    assert await chat.noticed() == []
    assert await chat.known() == {SISTER}


async def test_what_was_forgotten_is_not_noted_again_but_said_to_be_so(talk: Talk) -> None:
    """Said as plain talk it is refused with a reason as well, and can be kept anyway."""
    chat = talk()
    await chat.say(f"{SISTER}.")
    await chat.noticed()
    await chat.say("Forget that")
    await chat.say("yes")
    await chat.say(f"{SISTER}.")
    [news] = await chat.noticed()
    assert news.startswith(f"not noted: {SISTER}")
    assert "remember it anyway" in news
    assert await chat.known() == set()
    await chat.say("Remember it anyway")
    assert await chat.known() == {SISTER}


async def test_what_was_replaced_is_told(talk: Talk) -> None:
    chat = talk()
    await chat.say("I live in Oslo with my dog.")
    await chat.noticed()
    await chat.say("I live in Bergen with my dog now.")
    [news] = await chat.noticed()
    assert "Bergen" in news
    assert "(before: I live in Oslo with my dog)" in news


async def doubtful(talk: Talk, **fields: Model) -> Chat:
    """A conversation in which it is not sure what holds, before that is told."""
    chat = talk(**fields)
    lives = NewMemory(content="I live in Oslo", manually_saved=True)
    await chat.memory.remember(chat.user_id, lives)
    await chat.say("I live in Bergen.")
    return chat


@pytest.mark.parametrize(
    ("answer", "left", "says_so"),
    [
        ("yes", {"I live in Bergen"}, "The new one holds"),
        ("no", {"I live in Oslo", "I live in Bergen"}, "Both are kept"),
        ("the old one", {"I live in Oslo"}, "The old one still holds"),
        ("No, keep the old one!", {"I live in Oslo"}, "The old one still holds"),
    ],
)
async def test_a_doubt_is_asked_and_the_answer_decides(
    talk: Talk, answer: str, left: set[str], says_so: str
) -> None:
    chat = await doubtful(talk)
    noted, asked = await chat.noticed()
    assert noted == "noted: I live in Bergen"
    assert "“I live in Oslo”" in asked
    assert "yes or no" in asked
    assert says_so in await chat.say(answer)
    assert await chat.known() == left
    assert await chat.memory.doubts.open(chat.user_id) == []


@pytest.mark.parametrize("answer", ["yes", "the old one"])
async def test_the_answer_can_be_taken_back(talk: Talk, answer: str) -> None:
    chat = await doubtful(talk)
    await chat.noticed()
    await chat.say(answer)
    assert "Both hold again" in await chat.say("undo")
    assert await chat.known() == {"I live in Oslo", "I live in Bergen"}


async def test_asking_holds_nothing_up(talk: Talk) -> None:
    """What comes instead of an answer is answered itself, and a late yes decides nothing."""
    chat = await doubtful(talk)
    assert len(await chat.noticed()) == 2
    assert "Hello" in await chat.say("Hello")
    await chat.say("yes")
    assert await chat.known() == {"I live in Oslo", "I live in Bergen"}
    assert len(await chat.memory.doubts.open(chat.user_id)) == 1


async def test_a_yes_answers_no_question_that_was_not_put(talk: Talk) -> None:
    """It is learned, but the terminal did not wait for it: the yes was meant for the reply."""
    chat = await doubtful(talk, model=ScriptedModel([says("Shall I tell you more?"), says("So.")]))
    async with asyncio.timeout(60):
        while not await chat.memory.doubts.open(chat.user_id) or await waiting(chat):
            pass
    assert await chat.say("yes") == "So."
    assert await chat.known() == {"I live in Oslo", "I live in Bergen"}
    assert len(await chat.noticed()) == 2, "it is put after the next turn"
    await chat.say("yes")
    assert await chat.known() == {"I live in Bergen"}


async def test_a_doubt_that_was_told_to_nobody_is_answered_by_nothing(talk: Talk) -> None:
    """It was taken to be told, and whoever wanted to tell it has shown it to nobody."""
    chat = await doubtful(talk)
    news = await chat.assistant.news(chat.user_id, chat.conversation, "default")
    assert news[-1].question is not None
    await chat.say("yes")
    assert await chat.known() == {"I live in Oslo", "I live in Bergen"}


async def test_a_doubt_is_answered_where_it_was_asked(talk: Talk) -> None:
    """Another process that serves the same conversation has asked nothing, and comes between."""
    chat, other = await doubtful(talk), talk()
    await chat.noticed()
    other.conversation = chat.conversation
    await other.say("yes")
    assert await chat.known() == {"I live in Oslo", "I live in Bergen"}
    await chat.say("yes")
    assert await chat.known() == {"I live in Oslo", "I live in Bergen"}


async def test_what_its_model_could_not_learn_the_rules_learn(talk: Talk) -> None:
    chat = talk(RereadsAs(error=ConnectionError()))
    await chat.say(f"{SISTER}.")
    assert await chat.noticed() == [f"noted: {SISTER}"]
    assert await chat.known() == {SISTER}
    assert await waiting(chat) == []


async def test_what_was_not_learned_when_the_program_ended_is_learned_by_the_next(
    talk: Talk,
) -> None:
    held = Held()
    chat = talk(held)
    await chat.say(f"{SISTER}.")
    await held.begun.wait()
    assert await waiting(chat) == [f"{SISTER}."]
    later = talk()
    await leave_claimed(chat.database, chat.user_id, claim_of_an_ended_program())
    assert await later.memory.learn_waiting(chat.user_id) == 1
    assert await chat.known() == {SISTER}
    assert await later.memory.learn_waiting(chat.user_id) == 0
    held.let_go.set()  # closing waits ten seconds for what still learns


async def test_what_a_turn_learns_from_no_other_program_learns_meanwhile(talk: Talk) -> None:
    """As the upkeep does of a chat that begins while another one talks; and the turn tells it."""
    held = Held()
    chat = talk(held)
    await chat.say(f"{SISTER}.")
    await held.begun.wait()
    assert await talk().memory.learn_waiting(chat.user_id) == 0
    held.let_go.set()
    assert await chat.noticed() == [f"noted: {SISTER}"]
    [only] = await chat.memory.list_recent(chat.user_id)
    assert (only.content, only.repeat_count) == (SISTER, 0)


async def test_nor_before_the_reply_is_there(talk: Talk) -> None:
    """A model may take its time, and the message waits since it was said."""
    other, found = talk(), []

    class Slow(ScriptedModel):
        async def get_response(self, *args: Any, **options: Any) -> Any:
            raise AssertionError

        async def stream_response(self, *args: Any, **options: Any) -> AsyncIterator[Any]:
            found.append(await other.memory.learn_waiting(other.user_id))
            async for event in super().stream_response(*args, **options):
                yield event

    chat = talk(model=Slow([says("Good to know.")]))
    await chat.say(f"{SISTER}.")
    assert found == [0]
    assert await chat.noticed() == [f"noted: {SISTER}"]
    [only] = await chat.memory.list_recent(chat.user_id)
    assert only.repeat_count == 0


async def test_turns_are_learned_from_in_the_order_they_were_said(talk: Talk) -> None:
    held = Held()
    chat = talk(held)
    texts = [f"{SISTER}.", "My brother Jon lives in Bergen."]
    for text in texts:
        await chat.say(text)
    await held.begun.wait()
    assert held.seen == texts[:1]
    held.let_go.set()
    assert len(await chat.noticed()) == 2
    assert held.seen == texts


async def test_no_second_reader_sees_a_secret(talk: Talk) -> None:
    held = Held()
    held.let_go.set()
    chat = talk(held)
    await chat.say("My sister Maria has the card 4111 1111 1111 1111, she says.")
    await chat.noticed()
    assert "4111" not in str(held.seen)
    assert "Maria" in str(held.seen)


async def test_no_extractor_sees_what_is_left_out_now_or_after_a_crash(talk: Talk) -> None:
    held = Held()
    held.let_go.set()
    chat = talk(held)
    await chat.say("We have a dog called Bo. Please don't keep that my sister is ill.")
    await chat.noticed()
    [message, _] = await read_messages(chat.database, chat.user_id)
    await chat.memory.learner.unskip(chat.user_id, message["id"])
    await chat.memory.learn_waiting(chat.user_id)
    assert held.seen == ["We have a dog called Bo."] * 2


async def test_what_is_said_again_is_counted_though_it_was_recalled(talk: Talk) -> None:
    chat = talk()
    [kept] = await chat.hold(SISTER)
    await chat.say(f"Where does she live? {SISTER}.")
    assert await chat.noticed() == []
    [again] = await chat.memory.list_recent(chat.user_id)
    assert (again.id, again.repeat_count) == (kept.id, 1)
    assert again.importance > kept.importance


@pytest.mark.xfail(strict=True, reason="“that is where she lives” is kept by itself")
async def test_what_was_recalled_and_is_quoted_is_not_learned_again(talk: Talk) -> None:
    chat = talk()
    [kept] = await chat.hold(SISTER)
    await chat.say(f"You wrote “{SISTER}.” and that is where she lives.")
    await chat.noticed()
    [only] = await chat.memory.list_recent(chat.user_id)
    assert (only.id, only.content) == (kept.id, SISTER)


@pytest.mark.parametrize(
    "says_so", [["Don't remember that"], ["Erase everything about me", "yes"]], ids=" ".join
)
async def test_nothing_is_kept_after_all_of_what_was_taken_back_meanwhile(
    talk: Talk, says_so: Sequence[str]
) -> None:
    """A model may take longer than a command waits for it."""
    held = Held()
    chat = talk(held)
    await chat.say(f"{SISTER}.")
    await held.begun.wait()
    for text in says_so:
        await chat.say(text)
    held.let_go.set()
    await chat.assistant.aclose()
    assert await chat.known() == set()
    assert await talk().memory.learn_waiting(chat.user_id) == 0


async def test_learning_is_waited_for_when_the_program_ends(talk: Talk) -> None:
    chat = talk()
    await chat.say(f"{SISTER}.")
    await chat.assistant.aclose()
    assert await chat.known() == {SISTER}


async def test_of_a_long_message_the_beginning_is_learned_and_all_is_stored_without_secrets(
    talk: Talk,
) -> None:
    chat = talk()
    told = "Is it going to rain in the next few days? " * 400
    password = "hunter2swordfish"
    said = f"I own a red boat.{' ' * 20_000} {told}I live in Oslo. My password is {password}."
    await chat.say(said)
    assert chat.told.closed.notices[0] == READ_IN_PART
    assert "password" in chat.told.closed.notices[1]
    assert await chat.noticed() == ["noted: I own a red boat"]
    assert await chat.said() == [said.replace(password, "[password removed]")]
