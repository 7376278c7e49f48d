"""The assistant without a key: what it decides, and that it never invents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents import ModelSettings, ModelTracing
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses import (
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseTextDeltaEvent,
)

from agent.models import offline as replies
from agent.models.offline import OfflineModel, next_step
from memory.text import to_readable
from memory.understanding import OfflineReader

FIXED = (
    replies.OFFLINE_INTRODUCTION,
    replies.NOTHING,
    replies.NEITHER,
    replies.UNAVAILABLE,
    replies.LIMIT,
    replies.NOTHING_ASKED,
    replies.NOT_UNDERSTOOD,
    replies.OFF,
    replies.INCOGNITO,
)
READER = OfflineReader()
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
DATES = st.dates().map(lambda day: f"kept on {day.day} {day:%B} {day.year}")
CONFIDENCES = st.sampled_from(["high", "possible", "related"])
MEMORIES = st.lists(
    st.fixed_dictionaries({"content": WORDS, "context": DATES, "confidence": CONFIDENCES}),
    max_size=5,
)
LEADS = {"Based on what you told me", "I am not sure, but you told me", "Perhaps also"}


def memory(content: str, confidence: str = "high", day: int = 3) -> dict[str, str]:
    return {"content": content, "context": f"kept on {day} May 2026", "confidence": confidence}


def after_tool(said: str, result: dict[str, Any]) -> str:
    given_items: list[Any] = [
        {"role": "user", "content": said},
        {"type": "function_call", "name": "query_memory", "call_id": "c", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": json.dumps(result)},
    ]
    step = next_step(given_items, READER)
    assert isinstance(step, ResponseOutputMessage)
    return "".join(getattr(part, "text", "") for part in step.content)


def decided(said: str) -> tuple[str, dict[str, Any]]:
    """The tool that is called and with what; or "says" and the words."""
    step = next_step(said, READER)
    if isinstance(step, ResponseFunctionToolCall):
        return step.name, json.loads(step.arguments)
    assert isinstance(step, ResponseOutputMessage)
    return "says", {"text": "".join(getattr(part, "text", "") for part in step.content)}


@pytest.mark.parametrize(
    "said",
    [
        "What package manager should I use?",
        "Do you remember that I like tea?",
        "Do you remember my sister?",
        "I need a package manager",
        "Hello, what is my name?",
        "thanks for what? what did I say about tea",
        "Who are your parents?",
    ],
)
def test_it_asks_memory_in_the_persons_own_words(said: str) -> None:
    name, given = decided(said)
    assert (name, given["types"]) == ("query_memory", None)
    assert given["query"] in said


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("my dentist is on Thursday at nine. Who covers for me?", "Who covers for me?"),
        ("Wir ziehen am Montag um. Wie heißt mein Vermieter?", "Wie heißt mein Vermieter?"),
    ],
)
def test_what_is_told_beside_a_question_is_not_looked_for(said: str, asked: str) -> None:
    assert decided(said)[1]["query"] == asked


@pytest.mark.parametrize(
    "said",
    [
        "What did I say about tea?",
        "did I ever mention my sister",
        "When did we talk about the roof?",
        "remind me what I said about tea",
    ],
)
def test_what_was_said_is_looked_for_in_the_conversations_too(said: str) -> None:
    wanted = {"query": said, "types": None, "include_messages": True}
    assert decided(said) == ("query_memory", wanted)


@pytest.mark.parametrize(
    "said", ["hi", "Hello there!", "thanks", "ok", "who are you?", "help", "?"]
)
def test_small_talk_is_answered_without_memory(said: str) -> None:
    kind, _ = decided(said)
    assert kind == ("query_memory" if said == "?" else "says")


def test_it_says_what_it_is() -> None:
    assert "offline assistant" in decided("What are you?")[1]["text"]


@given(MEMORIES, st.booleans(), st.booleans(), st.booleans(), WORDS)
def test_all_that_is_not_a_fixed_phrase_is_a_quote(
    memories: list[dict[str, str]], error: bool, rate_limited: bool, off: bool, said: str
) -> None:
    """Whatever is recalled and asked: with fixed phrases, quotes and dates taken out, nothing is
    left of the reply."""
    metadata = {"error": error, "rate_limited": rate_limited, "off": off}
    reply = after_tool(said, {"memories": memories, "metadata": metadata})
    said_of = [each for each in memories if each["confidence"] != "related"]
    if off or error or rate_limited or not said_of:
        assert reply in FIXED
        return
    rest = reply
    for each in said_of:
        quoted = f"“{each['content']}”"
        dated = f"({each['context']})"
        assert quoted in reply
        assert dated in reply
        for form in (f"{dated}: {quoted}", f"- {quoted} {dated}"):
            rest = rest.replace(form, "", 1)
    assert {line.strip().rstrip(":") for line in rest.split("\n\n") if line.strip()} <= LEADS


def test_it_says_whether_it_is_sure() -> None:
    sure, possible = memory("I drive a Kia"), memory("I sold the Golf", "possible")
    assert after_tool("what do I drive", {"memories": [possible, sure]}) == (
        "Based on what you told me (kept on 3 May 2026): “I drive a Kia”\n\n"
        "Perhaps also (kept on 3 May 2026): “I sold the Golf”"
    )
    assert after_tool("what do I drive", {"memories": [possible]}) == (
        "I am not sure, but you told me (kept on 3 May 2026): “I sold the Golf”"
    )


def test_what_is_only_about_the_same_is_no_answer() -> None:
    result = {"memories": [memory("My wife Lena is a surveyor", "related")]}
    assert after_tool("When did Lena and I marry?", result) == replies.NOTHING


def message(content: str, said_by: str = "user", before: str | None = None) -> dict[str, Any]:
    return {
        "content": content,
        "said_by": said_by,
        "context": "said on 3 May 2026",
        "before": before,
        "after": None,
    }


def test_it_says_who_said_what_when() -> None:
    result = {
        "memories": [],
        "messages": [message("I like tea."), message("So do I.", "assistant")],
    }
    assert after_tool("What did I say about tea?", result) == (
        "- On 3 May 2026 you said: “I like tea.”\n- On 3 May 2026 I said: “So do I.”"
    )


def test_an_answer_is_quoted_with_what_was_asked() -> None:
    answer = message("Casa Azul.", before="assistant: Which hotel?")
    assert after_tool("What did I say about hotels?", {"messages": [answer]}) == (
        "On 3 May 2026 you said: “Casa Azul.” (I had asked: “Which hotel?”)"
    )
    other = message("Casa Azul.", before="assistant: How nice.")
    assert after_tool("?", {"messages": [other]}) == "On 3 May 2026 you said: “Casa Azul.”"


def test_a_memory_of_the_same_words_is_not_said_twice() -> None:
    memories = [memory("I like TEA"), memory("I live in Oslo", day=4)]
    reply = after_tool("?", {"memories": memories, "messages": [message("I like tea.")]})
    assert reply == (
        "- On 3 May 2026 you said: “I like tea.”\n- “I live in Oslo” (kept on 4 May 2026)"
    )


def test_without_messages_the_memories_answer() -> None:
    result: dict[str, Any] = {"memories": [memory("I like tea")], "messages": [], "metadata": {}}
    assert "I like tea" in after_tool("What did I say about tea?", result)
    result = {"memories": [], "messages": [], "metadata": {"messages_error": True}}
    assert after_tool("What did I say about tea?", result) == replies.UNAVAILABLE


@pytest.mark.parametrize("said", ["I like tea", "good to know", "never mind", "My bike is green"])
def test_what_is_only_told_is_not_looked_up(said: str) -> None:
    assert next_step(said, READER).model_dump()["content"][0]["text"] == replies.NOTHING_ASKED


@pytest.mark.parametrize(
    "said",
    [
        "Share this with PestIQ",
        "Switch to space PestIQ",
        "move the sprint memory to Work",
        "forget my dog",
        "Rewrite: I love my job and I live in Rome.",
    ],
)
def test_what_was_not_obeyed_is_not_acknowledged_as_if_it_were(said: str) -> None:
    """What may be a question too is looked up first."""
    step, given = decided(said)
    nothing_found: dict[str, Any] = {"memories": [], "metadata": {}}
    reply = given["text"] if step == "says" else after_tool(said, nothing_found)
    assert reply in (replies.NOT_UNDERSTOOD, replies.NEITHER)


def test_a_message_that_is_left_out_of_memory_was_understood() -> None:
    said = "don't remember this: I stole a pen"
    assert decided(said) == ("says", {"text": replies.NOTHING_ASKED})


def test_what_is_kept_was_understood() -> None:
    said = "Ach ja, ich hab zwei Schwestern: Gudrun wohnt in Kiel und Heike in Passau"
    assert decided(said) == ("says", {"text": replies.NOTHING_ASKED})


def test_it_says_plainly_that_it_knows_nothing() -> None:
    assert after_tool("Where is my bike?", {"memories": [], "metadata": {}}) == replies.NOTHING


@given(st.text(max_size=200))
def test_whatever_is_said_there_is_a_next_step(said: str) -> None:
    kind, details = decided(said)
    assert kind in ("says", "query_memory")
    assert kind == "says" or details["query"] == said or details["query"] in to_readable(said)


async def test_it_streams_word_by_word_and_ends_with_the_same_words() -> None:
    events = [event async for event in _stream("who are you?")]
    deltas = [event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)]
    assert len(deltas) > 5
    assert "".join(deltas) == replies.OFFLINE_INTRODUCTION
    assert isinstance(events[-1], ResponseCompletedEvent)
    assert replies.OFFLINE_INTRODUCTION in str(events[-1].response.output)


def test_every_call_has_an_id_of_its_own() -> None:
    steps = [next_step("Where is my bike?", READER) for _ in range(20)]
    assert len({getattr(step, "call_id", None) for step in steps}) == 20


def _stream(said: str) -> Any:
    return OfflineModel().stream_response(
        None, said, ModelSettings(), [], None, [], ModelTracing.DISABLED
    )
