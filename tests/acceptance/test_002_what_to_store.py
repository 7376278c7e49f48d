"""Specification 002, step 2: what is worth storing, as it is met in a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from agent.assistant import Assistant
from agent.models.offline import OfflineModel
from memory.factory import make_memory
from memory.ingestion.extraction import ExtractionInput
from memory.service import MemoryService
from memory.types import Origin, Role
from memory.understanding import Interpretation, MessageText
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Parts
from tests.agent.turns import assists

STATEMENT = "I live in Oslo."


async def learn(
    memory: MemoryService,
    user_id: str,
    text: str,
    role: Role = "user",
    recalled: Sequence[str] = (),
) -> list[str]:
    """What is known of the user after this one message."""
    said = ExtractionInput(text=text, said_at=datetime.now(UTC), role=role)
    await memory.learn(
        user_id, "default", said, origin=Origin("learning", uuid4()), recalled=recalled
    )
    return await knows(memory, user_id)


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "how do I make coffee",
        "can you tell me where my sister lives",
        "Do I like tea?",
        "Hello there, good morning!",
        "Thank you so much, that was great",
        "Please translate this letter into German for me",
        "Summarise the last three paragraphs.",
        "lol, that is so funny",
        "Sounds good to me",
        "the big one over there",
        "blue, rather large",
        "ok",
    ],
)
async def test_questions_greetings_commands_and_fragments_are_not_memories(
    offline: Assistant, memory: MemoryService, user_id: str, text: str
) -> None:
    """“User questions are rarely useful to recall”, nor is anything else that states nothing."""
    heard = await Chat(offline, user_id).say(text)
    assert heard.noted == []
    assert await knows(memory, user_id) == []


async def test_the_scenario_of_test_2(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    """Questions are asked and answered, and only what was stated is in the database."""
    chat = Chat(offline, user_id)
    await chat.say_all(["What is the capital of France?", STATEMENT, "How do I make coffee?"])
    assert await knows(memory, user_id) == ["I live in Oslo"]


UNMARKED = [
    ("I live in Oslo.", "where do I live"),
    ("My cat is called Biscuit.", "what's my cat's name"),
    ("My nephew Tom is nine years old.", "How old is Tom"),
    ("Ich wohne in Bremen.", "wo wohne ich"),
    ("Vivo en Sevilla.", "dónde vivo"),
    ("J'habite à Lyon.", "où est-ce que j'habite"),
    ("Jeg bor i Bergen.", "hvor bor jeg"),
]


@pytest.mark.parametrize(("told", "asked"), UNMARKED)
async def test_a_question_without_its_mark_is_answered_and_not_kept(
    offline: Assistant, memory: MemoryService, user_id: str, told: str, asked: str
) -> None:
    chat = Chat(offline, user_id)
    await chat.say(told)
    [known] = await knows(memory, user_id)
    heard = await chat.say(asked)
    assert known in heard.text
    assert heard.noted == []
    assert await knows(memory, user_id) == [known]


async def test_a_question_that_is_asked_to_be_kept_is_kept(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    asked = "what is the meaning of life?"
    await Chat(offline, user_id).say(f"remember: {asked}")
    assert await knows(memory, user_id) == [asked]


@pytest.mark.parametrize(
    "said", ["Share this with PestIQ", "Switch to space PestIQ", "move the sprint memory to Work"]
)
async def test_an_order_that_is_not_understood_says_so_and_is_not_kept(
    offline: Assistant, memory: MemoryService, user_id: str, said: str
) -> None:
    heard = await Chat(offline, user_id).say(said)
    assert "did not understand" in heard.text
    assert heard.noted == []
    assert await knows(memory, user_id) == []


@pytest.mark.parametrize("said", ["Call me Kim", "Share a flat with Petra since May"])
async def test_a_fact_that_looks_like_an_order_is_kept(
    offline: Assistant, memory: MemoryService, user_id: str, said: str
) -> None:
    heard = await Chat(offline, user_id).say(said)
    assert "did not understand" not in heard.text
    [kept] = await knows(memory, user_id)
    assert kept.startswith(said[: len("Share a flat with Petra")])


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("turn memory off", "memory is off"),
        ("make memory read-only", "memory is read-only"),
        ("go incognito", "incognito"),
    ],
)
async def test_what_is_not_kept_is_said_to_be_so(
    offline: Assistant, memory: MemoryService, user_id: str, mode: str, why: str
) -> None:
    chat = Chat(offline, user_id)
    assert "kept" not in (await chat.say(STATEMENT)).text
    await chat.say(mode)
    heard = await chat.say("My sister Maria lives in Bergen.")
    assert "Nothing of that is kept: " in heard.whole
    assert why in heard.whole
    assert "Thank you" not in heard.whole
    assert "Nothing of that is kept" not in (await chat.say("Good morning!")).whole


async def test_a_statement_beside_a_question_is_kept_without_it(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    await Chat(offline, user_id).say("I live in Oslo. What is the weather like today?")
    assert await knows(memory, user_id) == ["I live in Oslo"]


async def test_the_minimum_length_is_a_setting(parts: Parts, user_id: str) -> None:
    """002 has 50 characters; what is shorter than the setting is not stored."""
    strict = parts.memory(learn_min_chars=50)
    assert await learn(strict, user_id, STATEMENT) == []
    longer = "I live in Oslo, and I have lived here for all of my long life."
    assert len(longer) >= 50
    assert await learn(strict, user_id, longer) != []


async def test_the_roles_that_are_learned_from_are_a_setting(parts: Parts, user_id: str) -> None:
    """The user's words alone by default; 002's assistant's messages where they are named."""
    told = "You live in Oslo and you work as a carpenter."
    assert parts.settings.learn_roles == ("user",)
    assert await learn(parts.memory(), user_id, told, role="assistant") == []
    both = parts.memory(learn_roles=("user", "assistant"))
    assert await learn(both, user_id, told, role="assistant") != []
    neither = parts.memory(learn_roles=("assistant",))
    assert await learn(neither, f"{user_id}-other", STATEMENT) == []


async def test_a_short_clear_preference_passes_whatever_the_length(
    parts: Parts, user_id: str
) -> None:
    """003's shortcut goes before 002's minimum."""
    strict = parts.memory(learn_min_chars=50)
    assert await learn(strict, user_id, "I love jazz.") == ["I love jazz"]


async def test_recalled_text_is_never_learned(
    offline: Assistant, memory: MemoryService, user_id: str
) -> None:
    """No feedback loop: a reply that quotes a memory, or that is pasted back, adds nothing, however
    often it is asked for."""
    chat = Chat(offline, user_id)
    await chat.say("My sister Maria lives in Tromsø.")
    for _ in range(3):
        reply = (await chat.say("Where does my sister live?")).text
        assert "Tromsø" in reply
        await chat.say(reply)
    [item] = await memory.entries.all(user_id)
    assert (item.content, item.repeat_count) == ("My sister Maria lives in Tromsø", 0)


async def test_what_the_reply_rested_on_is_not_learned_from_it(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    """Where replies are learned from, what was recalled for one does not come back as new."""
    both = parts.memory(learn_roles=("user", "assistant"))
    kept = await learn(
        both, user_id, "I live in Oslo.", role="assistant", recalled=["I live in Oslo"]
    )
    assert kept == []


async def test_learning_waits_behind_the_reply(parts: Parts, user_id: str) -> None:
    """The reply is out, and stored, before anything looks at what was said."""
    began: list[str] = []

    class Slow:
        async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
            began.append(message.text)
            return first

    memory = make_memory(
        parts.database,
        parts.embedder,
        parts.cache,
        parts.counter,
        parts.settings,
        reader=Slow(),
    )
    async with assists(memory, parts.cache) as make:
        assistant = make(OfflineModel())
        async for _ in assistant.answer(user_id, uuid4(), STATEMENT):
            assert began == []
    assert began == [STATEMENT]
