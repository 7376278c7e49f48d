from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.quality import Reason, Verdict, sentence_fault, verdict
from prompts import load_prompt


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("What is the capital of France?", "question"),
        ("how do I boil an egg", "question"),
        ("can you help me with this", "question"),
        ("is there a train to Rome", "question"),
        ("do you remember my birthday", "question"),
        ("Good morning to you", "greeting"),
        ("Hello there everyone", "greeting"),
        ("Thanks a lot, that helps", "thanks"),
        ("Thank you so much", "thanks"),
        ("Write a poem about autumn", "command"),
        ("please make it shorter", "command"),
        ("Forget that, please", "command"),
        ("Don't forget to buy milk", "command"),
        ("That's a great idea", "reaction"),
        ("Sounds good, thanks", "reaction"),
        ("I agree with you", "reaction"),
        ("I really love it!", "reaction"),
        ("I hope so, I think so", "reaction"),
        ("the big red house", "fragment"),
        ("```\nprint('I live in Oslo')\n```", "code"),
        ("> I live in Oslo\n> and in Rome", "pasted"),
        (load_prompt("recalled_notice"), "recalled"),
        ("I'm 34.", "too short"),
    ],
)
def test_what_cannot_be_a_memory(text: str, reason: Reason) -> None:
    assert verdict(text) == Verdict(False, reason)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo",
        "My sister is called Zoë",
        "Do not deploy on Fridays, ever",
        "Can't eat gluten, sadly",
        "Is vegan since 2019.",
        "When I was five, we moved to Rome",
        "Never deploy on Fridays",
        "Keep your answers short",
        "Call me Al from now on",
        "What's the time? I live in Oslo.",
        "I'm vegan, what can I eat?",
        "I love hiking in Norway",
    ],
)
def test_what_can_be_one(text: str) -> None:
    assert verdict(text) == Verdict(True, "a statement")


def test_the_length_and_the_roles_are_settings() -> None:
    said = "You live in Oslo"
    assert verdict(said, min_chars=50).reason == "too short"
    assert verdict(said, min_chars=len(said)).worth
    assert verdict(said, role="assistant").reason == "role"
    assert verdict(said, role="assistant", roles={"user", "assistant"}).worth


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    assert isinstance(verdict(text, min_chars=0), Verdict)
    sentence_fault(text)
