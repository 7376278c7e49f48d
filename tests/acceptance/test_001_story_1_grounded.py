"""Specification 001, user story 1: a memory-grounded response."""

from __future__ import annotations

from uuid import UUID, uuid4

from agents.testing import ScriptedModel

from agent.assistant import Assistant
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import NewMemory
from prompts import load_prompt
from tests.agent.scripts import answers_from, asks_memory, said_by, says, tool_output
from tests.agent.turns import Assist, read_exchange, take_turn

UV = "User prefers uv over pip for Python dependency management"
ASKED = "What package manager should I use for my Python project?"
TALKS = [
    NewMemory(content="My sister Anna lives in Porto with her two cats"),
    NewMemory(content="Anna's birthday is on 4 March", type="note"),
    NewMemory(content="We decided to visit Anna in Porto next spring", type="decision"),
    NewMemory(content="The boiler was serviced in October"),
]


async def test_us1_1_a_stored_preference_is_recalled_and_referenced(
    memory: MemoryService, assist: Assist, user_id: str, conversation: UUID
) -> None:
    """Given a stored preference for uv, the question about a package manager brings it into the
    reply."""
    await memory.remember(user_id, NewMemory(content=UV, type="preference"))
    referenced = answers_from(
        lambda result: f"As you mentioned before: {result['memories'][0]['content']}."
    )
    model = ScriptedModel([asks_memory(ASKED), referenced])
    told = await take_turn(assist(model), user_id, conversation, ASKED)
    assert told.error is None
    assert told.tools == ["query_memory"]
    assert UV in told.text
    assert told.memories == [UV]
    model.assert_complete()


async def test_us1_1_the_assistant_without_a_key_references_it_as_well(
    memory: MemoryService, offline: Assistant, user_id: str, conversation: UUID
) -> None:
    """The independent test of the story: store "I prefer uv over pip", ask, and be told uv."""
    await take_turn(offline, user_id, conversation, "remember that I prefer uv over pip")
    told = await take_turn(offline, user_id, uuid4(), "What package manager should I use?")
    assert told.error is None
    assert "“I prefer uv over pip”" in told.text


async def test_us1_2_several_memories_are_recalled_and_brought_together(
    memory: MemoryService, offline: Assistant, user_id: str, conversation: UUID
) -> None:
    """Given several memories that match, the most relevant ones come in and are used together."""
    await memory.remember_all(user_id, TALKS)
    told = await take_turn(offline, user_id, conversation, "What do you know about Anna?")
    about_anna = {item.content for item in TALKS if "Anna" in item.content}
    assert set(told.memories) == about_anna
    assert all(content in told.text for content in about_anna)
    scores = [item.relevance_score for item in told.closed.memories]
    assert scores == sorted(scores, reverse=True)


async def test_us1_2_the_memories_of_a_reply_stay_within_the_token_budget(
    memory: MemoryService, assist: Assist, counter: TokenCounter, user_id: str, conversation: UUID
) -> None:
    """Given more matching text than the budget, what the model is given stays within it."""
    long = "Anna told me a story about the harbour in Porto, and it went on and on. "
    notes = [NewMemory(content=f"{number}. {long * 20}", type="note") for number in range(8)]
    await memory.remember_all(user_id, notes)
    model = ScriptedModel([asks_memory("What did Anna tell me about the harbour?"), says("A lot.")])
    told = await take_turn(assist(model), user_id, conversation, "Anna?")
    given = tool_output(model.calls[-1])
    assert told.error is None
    assert 0 < len(given["memories"]) < len(notes)
    assert sum(counter.count(each["content"]) for each in given["memories"]) <= 1000
    assert given["metadata"]["truncated"] is True


async def test_us1_3_nothing_relevant_is_nothing_recalled_and_nothing_invented(
    memory: MemoryService, assist: Assist, offline: Assistant, user_id: str, conversation: UUID
) -> None:
    """Given no relevant memory, the assistant answers normally and nothing is injected."""
    await memory.remember_all(user_id, TALKS)
    asked = "Which programming language has the fastest compiler?"
    model = ScriptedModel([asks_memory(asked), says("I have nothing about that in memory.")])
    told = await take_turn(assist(model), user_id, conversation, asked)
    assert told.error is None
    assert tool_output(model.calls[-1])["memories"] == []
    assert told.memories == []
    assert told.closed.notices == ()
    without_model = await take_turn(offline, user_id, uuid4(), asked)
    assert "nothing about that in memory" in without_model.text
    assert not any(item.content in without_model.text for item in TALKS)


async def test_us1_3_a_turn_that_asks_no_memory_is_given_none(
    memory: MemoryService, assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """Without a tool call no memory reaches the model at all: there is no silent injection."""
    await memory.remember(user_id, NewMemory(content=UV, type="preference"))
    model = ScriptedModel([says("Good morning.")])
    told = await take_turn(assist(model), user_id, conversation, ASKED)
    assert told.memories == []
    assert "uv" not in str(model.calls[0].input) + str(model.calls[0].system_instructions)
    assert await read_exchange(database, user_id) == [
        ("user", ASKED, "complete"),
        ("assistant", "Good morning.", "complete"),
    ]


async def test_us1_4_a_memory_is_cited_as_advisory_context(
    memory: MemoryService, offline: Assistant, user_id: str, conversation: UUID
) -> None:
    """A memory is quoted as what the user once said, with its date, not stated as a fact."""
    await memory.remember(user_id, NewMemory(content=UV, type="preference"))
    told = await take_turn(offline, user_id, conversation, ASKED)
    [used] = told.closed.memories
    date = f"{used.created_at.day} {used.created_at:%B %Y}"
    assert told.text == f"Based on what you told me (kept on {date}): “{UV}”"


async def test_us1_4_the_model_is_told_to_cite_and_gets_memories_as_data_only(
    memory: MemoryService, assist: Assist, user_id: str, conversation: UUID
) -> None:
    """What was recalled reaches the model as a labelled tool result, never in a system role."""
    await memory.remember(user_id, NewMemory(content=UV, type="preference"))
    model = ScriptedModel([asks_memory(ASKED), says("uv, as you said.")])
    await take_turn(assist(model), user_id, conversation, ASKED)
    call = model.calls[-1]
    assert call.system_instructions == load_prompt("assistant")
    assert "advisory context, not authoritative fact" in call.system_instructions
    assert said_by(call, "system") == said_by(call, "developer") == []
    carrying = [item for item in call.input if UV in str(item)]
    assert [item["type"] for item in carrying] == ["function_call_output"]
    given = tool_output(call)
    assert given["notice"] == load_prompt("recalled_notice")
    assert given["memories"][0]["context"].startswith("kept on ")
