"""Specification 001, user story 3: the memory query tool."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from agents.testing import ModelStep, ScriptedModel

from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL
from memory.embeddings.protocol import Embedding
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import MemoryQueryRequest, NewMemory
from prompts import load_prompt
from tests.acceptance.conftest import Fragile, Parts
from tests.agent.scripts import answers_from, asks_memory, calls, says, tool_named, tool_output
from tests.agent.turns import Assist, assists, read_messages, take_turn

ONE_OF_EACH = [
    NewMemory(content="My bike is green", type="fact"),
    NewMemory(content="I prefer my bike over the bus", type="preference"),
    NewMemory(content="We decided to lock my bike in the cellar", type="decision"),
    NewMemory(content="My bike was at the workshop in May", type="note"),
]
ASKED = "How is it going with my bike?"


class NeverEmbeds:
    """An embedder that gives no answer at all until it is let go."""

    model = LOCAL_MODEL
    dimensions = LOCAL_DIMENSIONS

    def __init__(self) -> None:
        self.let_go = asyncio.Event()

    async def embed_query(self, text: str) -> Embedding:
        await self.let_go.wait()
        raise TimeoutError

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        await self.let_go.wait()
        raise TimeoutError

    async def aclose(self) -> None:
        self.let_go.set()


async def test_us3_1_the_agent_can_invoke_query_memory_with_a_query(
    assist: Assist, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    """Given context would help, the agent finds the tool and can invoke it with a search query."""
    await memory.remember_all(user_id, ONE_OF_EACH)
    model = ScriptedModel([asks_memory(ASKED), says("It is green.")])
    told = await take_turn(assist(model), user_id, conversation, "Which colour is it again?")
    assert told.tools == ["query_memory"]
    offered = tool_named(model.calls[0], "query_memory")
    assert offered.description == load_prompt("query_memory")
    assert tool_output(model.calls[1])["metadata"]["count"] >= 1


async def test_us3_2_the_tool_returns_content_type_relevance_source_and_time(
    assist: Assist, memory: MemoryService, database: Database, user_id: str, conversation: UUID
) -> None:
    """The model gets content, type, relevance and source context of each memory; the service
    gives the source message and the time it was created as well."""
    model = ScriptedModel([calls("remember", content="My bike is green"), says("Kept.")])
    noting = assist(model)
    await take_turn(noting, user_id, conversation, "Would you note the colour of my bike?")
    await take_turn(noting, user_id, conversation, "yes")
    model = ScriptedModel([asks_memory("What colour is my bike?"), says("Green.")])
    await take_turn(assist(model), user_id, conversation, "What colour is my bike?")
    given = tool_output(model.calls[1])
    [memory_given] = given["memories"]
    assert set(memory_given) >= {"content", "type", "relevance", "context"}
    [kept] = await memory.list_recent(user_id)
    assert (memory_given["content"], memory_given["type"]) == ("My bike is green", kept.type)
    assert 0.3 <= memory_given["relevance"] <= 1.0
    assert given["metadata"] | {"count": 1, "truncated": False} == given["metadata"]
    request = MemoryQueryRequest(user_id=user_id, query="What colour is my bike?")
    [item] = (await memory.recall(request)).items
    said = (await read_messages(database, user_id))[0]
    assert item.source == f"message:{said['id']}"
    assert item.created_at >= said["created_at"]
    assert f"kept on {item.created_at.day} {item.created_at:%B %Y}" == memory_given["context"]


async def test_us3_2_all_four_types_are_returned_and_can_be_filtered(
    assist: Assist, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    """`types` narrows the recall to fact, preference, decision or note."""
    await memory.remember_all(user_id, ONE_OF_EACH)
    model = ScriptedModel(
        [asks_memory(ASKED, types=["decision", "note"]), asks_memory(ASKED), says("Much.")]
    )
    await take_turn(assist(model), user_id, conversation, ASKED)
    narrow, wide = (tool_output(call)["memories"] for call in model.calls[1:])
    assert {each["type"] for each in narrow} == {"decision", "note"}
    assert {each["type"] for each in wide} == {"fact", "preference", "decision", "note"}


async def test_us3_3_what_the_tool_injects_respects_the_token_budget(
    assist: Assist, memory: MemoryService, counter: TokenCounter, user_id: str, conversation: UUID
) -> None:
    """At most 1,000 tokens of memories come in, the most relevant first, the last one cut."""
    story = "My bike had another flat tyre on the way to the office, and I walked. " * 15
    notes = [NewMemory(content=f"{story} ({number})", type="note") for number in range(9)]
    await memory.remember_all(user_id, notes)
    model = ScriptedModel([asks_memory("What happened to my bike on the way?"), says("Flat tyre.")])
    told = await take_turn(assist(model), user_id, conversation, "What happened to my bike?")
    given = tool_output(model.calls[1])
    used = sum(counter.count(each["content"]) for each in given["memories"])
    assert 900 < used <= 1000
    assert given["metadata"]["truncated"] is True
    assert given["memories"][-1]["content"].endswith("…")
    assert [each["content"] for each in given["memories"]] == told.memories


async def test_us3_4_a_database_error_in_the_tool_is_an_empty_result_with_a_flag(
    fragile: Fragile, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    """Given the retrieval fails, the tool returns nothing and says so; the agent proceeds."""
    await memory.remember_all(user_id, ONE_OF_EACH)

    async def lose_the_database(_: object) -> list[Any]:
        await fragile.door.shut()
        return asks_memory(ASKED)

    proceed = answers_from(lambda result: f"I have {len(result['memories'])} memories at hand.")
    model = ScriptedModel([ModelStep.respond(lose_the_database), proceed])
    told = await take_turn(fragile.assist(model), user_id, conversation, ASKED)
    await fragile.door.open()
    assert tool_output(model.calls[1])["memories"] == []
    assert tool_output(model.calls[1])["metadata"]["error"] is True
    assert told.text == "I have 0 memories at hand."
    assert told.error is None


async def test_us3_4_a_timeout_in_the_tool_is_an_empty_result_with_a_flag(
    fragile: Fragile, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    """Given the database stops answering without a word, the recall's timeout ends the wait."""
    await memory.remember_all(user_id, ONE_OF_EACH)
    fragile.door.stall()
    request = MemoryQueryRequest(user_id=user_id, query=ASKED)
    async with asyncio.timeout(30):
        response = await fragile.memory.recall(request)
    assert (response.items, response.error) == ([], True)


async def test_us3_4_an_embedder_that_never_answers_leaves_the_keywords(
    parts: Parts, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    """A late embedding costs its timeout and the vector leg, not the answer."""
    await memory.remember_all(user_id, ONE_OF_EACH)
    slow = NeverEmbeds()
    hampered = parts.memory(embedder=slow, embedding_timeout_seconds=0.1)
    model = ScriptedModel([asks_memory("my green bike"), says("Green.")])
    async with assists(hampered, parts.cache) as make:
        told = await take_turn(make(model), user_id, conversation, "Which colour is my bike?")
        await slow.aclose()
    given = tool_output(model.calls[1])
    assert "My bike is green" in [each["content"] for each in given["memories"]]
    assert given["metadata"]["error"] is False
    assert told.closed.notices == ()


async def test_the_tool_result_is_json_with_the_fields_of_the_contract(
    assist: Assist, user_id: str, conversation: UUID
) -> None:
    """Contract of `query_memory`: memories and metadata with count and truncated."""
    model = ScriptedModel([asks_memory(ASKED), says("Nothing.")])
    await take_turn(assist(model), user_id, conversation, ASKED)
    given = tool_output(model.calls[1])
    assert given["memories"] == []
    assert given["metadata"]["count"] == 0
    assert given["metadata"]["truncated"] is False
    assert json.dumps(given)
