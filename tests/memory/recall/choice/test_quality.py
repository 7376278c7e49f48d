from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.ranking import demote_questions, quality
from memory.types import MEMORY_TYPES, MemoryType, Role
from memory.understanding.sentences import is_question

item_type: st.SearchStrategy[MemoryType] = st.sampled_from(MEMORY_TYPES)
role: st.SearchStrategy[Role] = st.sampled_from(["user", "assistant", "system"])
TEXTS = ["Who is my mother?", "My mother is Ruth", "Ada plays", "When is it?", "Tom asked why"]


def test_the_factors() -> None:
    assert quality("x" * 500, "fact", "assistant") == pytest.approx(1.0 * 1.2 * 1.1)
    assert quality("x" * 250, "note", "user") == pytest.approx(0.95 * 1.0 * 1.1)
    assert quality("Who is it?", "note", "user") == pytest.approx(0.902 * 1.0 * 0.9)
    assert quality("Who is it?", "note", "assistant") == pytest.approx(0.902 * 1.0 * 1.1)


@given(st.text(max_size=1200), item_type, role)
def test_within_its_bounds(content: str, kind: MemoryType, who: Role) -> None:
    assert 0.81 <= quality(content, kind, who) <= 1.32 + 1e-9


@given(st.integers(0, 1200), st.integers(0, 1200))
def test_length_never_outweighs_the_type(one: int, other: int) -> None:
    assert quality("x" * one, "fact", "user") > quality("x" * other, "note", "user")


@given(st.lists(st.sampled_from(TEXTS), max_size=12))
def test_no_question_stands_before_an_answer_and_nothing_else_moves(texts: list[str]) -> None:
    ranked = list(enumerate(texts))
    demoted = demote_questions(ranked, lambda pair: pair[1])
    asks = [is_question(text) for _, text in demoted]
    assert asks == sorted(asks)
    for kind in (True, False):
        part = [pair for pair in ranked if is_question(pair[1]) is kind]
        assert [pair for pair in demoted if is_question(pair[1]) is kind] == part


def test_the_answer_of_002_comes_first() -> None:
    found = ["Who is your mother", "who is your creator", "Nyx, of course, is my mother"]
    assert demote_questions(found, str)[0] == "Nyx, of course, is my mother"
