from __future__ import annotations

from typing import Any

from openai import AsyncOpenAI

from eval.bench.fake_models import AnswerPace, ScriptedChatServer, turn_mark_of

MARK = "0123456789abcdef0123456789abcdef"
ASKED: Any = [{"role": "user", "content": f"Which train? (turn {MARK})"}]
READ: Any = [{"role": "user", "content": '<reading>\n{"message": "I ski."}\n</reading>'}]
TOLD: Any = {"role": "tool", "tool_call_id": "c", "content": "nothing"}
QUICK = AnswerPace(first=0.0, between=0.0, pieces=3, characters=8)


async def test_asks_memory_once_and_then_answers_in_pieces() -> None:
    model = ScriptedChatServer(QUICK)
    async with model.listening() as url, AsyncOpenAI(api_key="k", base_url=url) as client:
        asking = await client.chat.completions.create(model="m", messages=ASKED, stream=True)
        calls = [chunk.choices[0].delta.tool_calls async for chunk in asking]
        answering = await client.chat.completions.create(
            model="m", messages=[*ASKED, TOLD], stream=True
        )
        pieces = [chunk.choices[0].delta.content async for chunk in answering]

    assert calls[0] is not None
    assert calls[0][0].function is not None
    assert calls[0][0].function.name == "query_memory"
    assert [piece for piece in pieces if piece] == ["word xxx"] * 3
    assert set(model.busy) == {MARK}


async def test_it_finds_nothing_worth_keeping_and_that_is_no_part_of_a_turn() -> None:
    model = ScriptedChatServer(QUICK)
    async with model.listening() as url, AsyncOpenAI(api_key="k", base_url=url) as client:
        found = await client.chat.completions.create(model="m", messages=READ)

    assert '{"text": "I ski.", "kind": "small_talk"' in str(found.choices[0].message.content)
    assert not model.busy


def test_a_turn_is_told_by_the_last_thing_its_user_said() -> None:
    earlier = {"role": "user", "content": "Hello (turn ffffffffffffffffffffffffffffffff)"}

    assert turn_mark_of({"messages": [earlier, *ASKED, TOLD]}) == MARK
    assert turn_mark_of({"messages": [{"role": "user", "content": "Hello"}]}) == ""
