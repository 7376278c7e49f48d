from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.turn.turn import cites_any_memory, cites_memory

OSLO = "I live in Oslo"


@pytest.mark.parametrize(
    ("reply", "question", "memory", "used"),
    [
        ("You told me that you live in Oslo.", "Where do I live?", OSLO, True),
        ("I do not know where you live.", "Where do I live?", OSLO, False),
        ("Oslo it is!", "Where do I live?", OSLO, True),
        ("Take an umbrella.", "What should I bring?", OSLO, False),
        ("Your sister Mia plays the cello.", "Who is Mia?", "My sister Mia plays cello", True),
        ("Mia is a name.", "Who is Mia?", "My sister Mia plays cello", False),
        # It adds nothing to the question, so that nobody can say where the reply has it from.
        ("You live in Oslo.", "Do I live in Oslo?", OSLO, False),
    ],
)
def test_a_reply_uses_what_a_memory_adds_to_the_question(
    reply: str, question: str, memory: str, used: bool
) -> None:
    assert cites_memory(reply, question, memory) is used


def test_one_of_several_is_enough() -> None:
    assert cites_any_memory("Oslo!", "Where do I live?", ["I love jazz", OSLO])
    assert not cites_any_memory("Oslo!", "Where do I live?", [])


@given(st.text(), st.text())
def test_a_silent_reply_uses_nothing(question: str, memory: str) -> None:
    assert not cites_memory("", question, memory)
