from __future__ import annotations

import pytest

from memory.write.extraction.blocks import PASTED_FROM_CHARS, is_code, is_pasted, own_prose

ARTICLE = "The company announced record profits, and its shares rose by a tenth in Oslo. " * 20


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("I use Go.\n```\nI = 1\n```\nI like it.", "I use Go.\n\n\nI like it."),
        ("> I live in Rome\nI live in Oslo", "I live in Oslo"),
        ("import os\nI like Python", "I like Python"),
        ("I moved.\nFrom: Ann\nSubject: Hi\nI live in Rome", "I moved."),
        ("See this:\nDear Sir,\nI own a boat.\nKind regards\nPaul", "See this:"),
        ("Hi Tom,\nI live in Oslo", "Hi Tom,\nI live in Oslo"),
    ],
)
def test_what_are_ones_own_words(text: str, prose: str) -> None:
    assert own_prose(text) == prose


def test_code_is_told_from_prose() -> None:
    assert is_code("```\nx = 1\n```")
    assert is_code("def foo(): return 1")
    assert not is_code("I like tea")
    assert not is_code("")


def test_a_long_text_without_the_person_is_pasted() -> None:
    assert len(ARTICLE) > PASTED_FROM_CHARS
    assert is_pasted(ARTICLE)
    assert is_pasted("> quoted\n> and nothing else")
    assert not is_pasted(ARTICLE[:300])
    assert not is_pasted("I like my work and my cats, and we live in Oslo near our sea. " * 30)
    assert not is_pasted("")
