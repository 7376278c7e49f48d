from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import resolve
from memory.write.banks import bank_of
from memory.write.candidates import Said
from memory.write.extraction.rules import RuleExtractor
from memory.write.extraction.second_person import as_the_user_would


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("You prefer uv.", "I prefer uv."),
        ("You're a nurse and you've two cats.", "I'm a nurse and I've two cats."),
        ("Okay, your sister Maria lives in Oslo.", "My sister Maria lives in Oslo."),
        (
            "You are allergic to nuts, so nobody gives you any.",
            "I am allergic to nuts, so nobody gives me any.",
        ),
        ("You said that Tom taught you.", "I said that Tom taught me."),
    ],
)
def test_what_is_said_of_you_is_said_of_i(said: str, turned: str) -> None:
    assert as_the_user_would(said) == turned


@pytest.mark.parametrize(
    "said",
    [
        "I prefer uv.",
        "My favourite colour is blue.",
        "You told me that I like tea.",
        "Do you prefer uv? You prefer uv?",
        "You should drink more water.",
        "You could really try uv.",
        "You'd like Bergen.",
        "Oslo is the capital of Norway.",
        "```\nyour_name = 1\n```",
        "",
    ],
)
def test_advice_questions_and_the_assistant_itself_are_left_out(said: str) -> None:
    assert as_the_user_would(said) == ""


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert "you are" not in as_the_user_would(text).lower()


async def test_the_rules_take_no_assistants_i_for_the_users() -> None:
    rules = RuleExtractor(resolve=resolve, bank_of=bank_of, roles=("user", "assistant"))
    text = "I live in the cloud and I love jazz. Okay, you prefer tea over coffee."
    reply = Said(text=text, said_at=datetime(2026, 6, 17, tzinfo=UTC), role="assistant")
    assert [each.content for each in await rules.extract(reply)] == ["I prefer tea over coffee"]
    own = reply.model_copy(update={"role": "user"})
    assert "I love jazz" in str([each.content for each in await rules.extract(own)])
