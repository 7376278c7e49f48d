from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.commands.parser import split_history_choice
from memory.store.forgetting import HistoryChoice


@pytest.mark.parametrize(
    ("said", "answer", "history"),
    [
        ("yes", "yes", "redact"),
        ("yes, but keep the messages", "yes", "keep"),
        ("Yes and leave the conversations as they are.", "Yes", "keep"),
        ("yes, and delete the messages too", "yes", "delete"),
        ("ok – remove those chats", "ok", "delete"),
        ("yes, redact the messages", "yes", "redact"),
        ("no, keep it", "no, keep it", "redact"),
    ],
)
def test_the_choice_is_parted_from_the_answer(
    said: str, answer: str, history: HistoryChoice
) -> None:
    assert split_history_choice(said) == (answer, history)


@given(st.text())
def test_never_adds_to_what_was_said(said: str) -> None:
    assert said.startswith(split_history_choice(said)[0])
