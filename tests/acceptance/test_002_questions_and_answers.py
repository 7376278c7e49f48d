"""Specification 002: “Who is your mother” brings the answer, not the question; over what was said
as well as over what is remembered."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from agent.assistant import Assistant
from memory.service import MemoryService
from memory.store.messages import NewMessage
from memory.types import MemoryQueryRequest, MessageQueryRequest, NewMemory, Role
from tests.acceptance.chat import Chat

QUERY = "Who is your mother"
ANSWER = (
    "Nyx, of course. She wove me from the quiet between two stars and taught me every name of the "
    "dark."
)
CREATOR = "Willow built me, line by line, in a small room above the bakery."
# As 002 found them in its database: two questions above the one answer.
SAID: tuple[tuple[str, str], ...] = (
    (QUERY, ANSWER),
    ("who is your creator", CREATOR),
    ("My cousin Ottoline lives in Wexcombe.", "Noted."),
    ("What is the capital of France?", "Paris."),
    ("My knee hurts after running.", "Rest it for a week and ice it."),
)


async def talk(memory: MemoryService, user_id: str, *turns: tuple[str, str]) -> None:
    """Each turn in a conversation of its own, with the vectors made."""
    for asked, answered in turns:
        chat, turn = uuid4(), uuid4()
        lines: tuple[tuple[Role, str], ...] = (("user", asked), ("assistant", answered))
        for role, text in lines:
            await memory.conversations.add_message(user_id, chat, NewMessage(role, text, turn))
    await memory.embed_waiting(user_id)


async def said(memory: MemoryService, user_id: str, query: str) -> list[str]:
    request = MessageQueryRequest(user_id=user_id, query=query)
    response = await memory.recall_messages(request)
    assert not response.error
    return [item.content for item in response.items]


async def test_what_was_said_brings_the_answer(memory: MemoryService, user_id: str) -> None:
    await talk(memory, user_id, *SAID)
    assert await said(memory, user_id, QUERY) == [ANSWER]
    assert (await said(memory, user_id, "Who is your creator?"))[0] == CREATOR
    assert await said(memory, user_id, "capital of France") == ["Paris."]


@pytest.mark.parametrize("times", [1, 5])
async def test_asking_again_and_again_does_not_bury_it(
    memory: MemoryService, user_id: str, times: int
) -> None:
    """However often it was asked in these words or others, no question comes before the answer."""
    again = (
        (f"{QUERY}?", "You asked me that."),
        ("Tell me who your mother is?", "Again?"),
        ("Do you even have a mother?", "What a thing to ask!"),
    )
    await talk(memory, user_id, *SAID, *(again * times))
    found = await said(memory, user_id, QUERY)
    assert ANSWER in found
    asked = [place for place, each in enumerate(found) if each.endswith("?")]
    assert all(found.index(ANSWER) < place for place in asked)


async def test_what_is_remembered_brings_the_answer(memory: MemoryService, user_id: str) -> None:
    for content in (QUERY, "who is your creator", "Nyx is your mother"):
        await memory.remember(user_id, NewMemory(content=content, type="note"))
    await memory.embed_waiting(user_id)
    response = await memory.recall(MemoryQueryRequest(user_id=user_id, query=QUERY))
    assert response.items[0].content == "Nyx is your mother"


async def test_a_short_answer_comes_with_its_question(memory: MemoryService, user_id: str) -> None:
    """“Paris.” is nothing without what was asked."""
    await talk(memory, user_id, *SAID)
    request = MessageQueryRequest(user_id=user_id, query="What is the capital of France?")
    [item] = (await memory.recall_messages(request)).items
    assert (item.content, item.before) == ("Paris.", "user: What is the capital of France?")


async def test_the_assistant_quotes_what_was_said_with_its_date(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    """Off by default, on for “what did I say about …”, also in a conversation that goes on."""
    told = "My knee hurts after running."
    chat = Chat(offline, user_id)
    await chat.say(told)
    today = datetime.now(UTC)
    date = f"On {today.day} {today:%B %Y}"
    for asked in (
        "What did I say about my knee?",
        "Did I ever mention my knee?",
        "When did we talk about my knee?",
    ):
        heard = await chat.say(asked)
        assert f"{date} you said: “{told}”" in heard.text
        assert told in [each.content for each in heard.closed.messages]
    assert (await chat.say("How is my knee?")).closed.messages == ()


async def test_a_reply_that_quotes_does_not_outrank_who_said_it(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    told = "My cousin Ottoline lives in Wexcombe."
    chat = Chat(offline, user_id)
    await chat.say(told)
    for _ in range(3):
        await chat.say("Where does my cousin Ottoline live?")
        await chat.say("What did I say about my cousin Ottoline?")
    await memory.embed_waiting(user_id)
    found = await said(memory, user_id, "Where does my cousin Ottoline live?")
    assert found[0] == told
    request = MessageQueryRequest(user_id=user_id, query="cousin Ottoline", min_score=0, limit=50)
    items = (await memory.recall_messages(request)).items
    first_reply = next(place for place, each in enumerate(items) if each.role == "assistant")
    assert [each.content for each in items[:first_reply]].count(told) == 1


async def test_what_was_said_incognito_is_never_found(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    chat = Chat(offline, user_id)
    await chat.say("start incognito")
    await chat.say("My cousin Ottoline lives in Wexcombe.")
    assert "Wexcombe" not in (await chat.say("What did I say about my cousin?")).text
    await chat.say("end incognito")
    await memory.embed_waiting(user_id)
    assert await said(memory, user_id, "Ottoline in Wexcombe") == []
    assert "Wexcombe" not in (await chat.say("What did I say about my cousin?")).text


async def test_commands_in_plain_words_stay_commands(offline: Assistant, user_id: str) -> None:
    chat = Chat(offline, user_id)
    await chat.say("My cousin Ottoline lives in Wexcombe.")
    heard = await chat.say("what do you remember about my cousin?")
    assert heard.tools == []
    assert heard.closed.messages == ()


HIDDEN = [
    ("My cat is called Biscuit.", "What is my cat called?"),
    ("I parked the car on level four.", "Where did I park the car"),
    ("My blood type is O negative.", "What is my blood type"),
    ("Nyx is your mother", "Who is your mother"),
    ("Our boiler is serviced by Halvorsen.", "Who services our boiler"),
    ("My daughter Ida is allergic to kiwi.", "What is my daughter allergic to?"),
    ("The spare key hangs at Gunvor's.", "Where does the spare key hang?"),
    ("Ich wohne in Bremen.", "Wo wohne ich?"),
]


async def surely(memory: MemoryService, user_id: str, query: str) -> list[tuple[str, float]]:
    """What is recalled, each with its relevance."""
    response = await memory.recall(MemoryQueryRequest(user_id=user_id, query=query))
    return [(each.content, each.relevance_score) for each in response.items]


@pytest.mark.parametrize(("answer", "question"), HIDDEN)
async def test_a_remembered_question_hides_no_answer(
    memory: MemoryService, user_id: str, answer: str, question: str
) -> None:
    """Whoever asks in the words of a question that is remembered gets its answer, as surely as
    without it."""
    await memory.remember(user_id, NewMemory(content=answer))
    [(_, alone)] = await surely(memory, user_id, question)
    await memory.remember(user_id, NewMemory(content=question))
    [(content, beside)] = await surely(memory, user_id, question)
    assert content == answer
    assert abs(alone - beside) < 0.1


@pytest.mark.parametrize("purpose", ["pinned", "manually_saved"])
async def test_a_question_kept_on_purpose_comes_after_its_answer(
    memory: MemoryService, user_id: str, purpose: str
) -> None:
    for answer, question in HIDDEN[:3]:
        asked = NewMemory(content=question).model_copy(update={purpose: True})
        for each in (NewMemory(content=answer), asked):
            await memory.remember(user_id, each)
        found = [content for content, _ in await surely(memory, user_id, question)]
        assert found[0] == answer
        assert question in found
