"""Nothing that goes wrong in the tool fails a turn."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from agents.testing import ScriptedModel

from memory.service import MemoryService
from memory.store.database import Database
from memory.types import MAX_MEMORY_CHARS
from tests.agent.scripts import calls, says, tool_output
from tests.agent.turns import Assist, Told, read_messages, take_turn


async def remember(assist: Assist, user_id: str, arguments: str) -> tuple[dict[str, object], Told]:
    """What the tool answered, and the turn after that in which the user says yes."""
    model = ScriptedModel([calls("remember", arguments), says("Done."), says("Yes what?")])
    assistant, conversation = assist(model), uuid4()
    told = await take_turn(assistant, user_id, conversation, "Here is one for you")
    assert (told.error, told.text, told.closed.kept) == (None, "Done.", ())
    agreed = await take_turn(assistant, user_id, conversation, "yes")
    return tool_output(model.calls[1]), agreed


async def test_remember_keeps_the_words_with_type_and_source(
    assist: Assist, memory: MemoryService, database: Database, user_id: str
) -> None:
    result, told = await remember(assist, user_id, '{"content": "I prefer tea over coffee"}')
    assert result["kept"] is None
    assert "Nothing has been done" in str(result["answer"])
    assert told.text == "I will remember: “I prefer tea over coffee”"
    [kept] = await memory.list_recent(user_id)
    assert kept.type == "preference"
    assert [item.id for item in told.closed.kept] == [kept.id]
    assert kept.manually_saved is True
    assert kept.source_message_id == (await read_messages(database, user_id))[0]["id"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (json.dumps({"content": ""}), "nothing in it to read"),
        (json.dumps({"content": "x" * (MAX_MEMORY_CHARS + 1)}), "8,192 characters"),
        (json.dumps({"content": "\x00 \x07"}), "nothing in it to read"),
    ],
)
async def test_what_cannot_be_kept_is_said_to_the_model(
    assist: Assist, memory: MemoryService, user_id: str, arguments: str, reason: str
) -> None:
    result, told = await remember(assist, user_id, arguments)
    assert result["kept"] is None
    assert reason in str(result["error"])
    assert told.error is None
    assert await memory.list_recent(user_id) == []


@pytest.mark.parametrize("arguments", ['{"content": ', "{}", '{"content": 7}', "[]"])
async def test_arguments_that_are_none_are_said_to_be_so(
    assist: Assist, memory: MemoryService, user_id: str, arguments: str
) -> None:
    """It is the arguments that were wrong, not the memory that was slow."""
    result, told = await remember(assist, user_id, arguments)
    assert result["kept"] is None
    assert "in time" not in str(result["error"])
    assert told.error is None
    assert await memory.list_recent(user_id) == []
