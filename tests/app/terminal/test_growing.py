from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.terminal.answer import GrowingMarkdown, split_blocks

MARKDOWN = st.lists(
    st.sampled_from(
        ["# Head", "text", "", "- item", "  - nested", "1. one", "```", "> quote", "---", "| a |"]
    )
).map("\n".join)


@given(MARKDOWN | st.text())
def test_joined_the_blocks_are_the_text(text: str) -> None:
    assert "".join(split_blocks(text)) == text


@given(MARKDOWN, st.lists(st.integers(1, 9)))
def test_in_whatever_pieces_it_comes_every_sign_is_given_away_once(
    text: str, sizes: list[int]
) -> None:
    growing, given_away, rest = GrowingMarkdown(), "", text
    for size in sizes:
        given_away += "".join(growing.add(rest[:size]))
        rest = rest[size:]
    given_away += "".join(growing.add(rest))
    assert given_away + growing.unfinished == text


def test_a_block_is_finished_when_the_next_one_begins() -> None:
    growing = GrowingMarkdown()
    assert growing.add("One paragraph\nof two lines.\n\n") == []
    assert growing.add("1. first\n2. second\n\n") == ["One paragraph\nof two lines.\n\n"]
    assert growing.add("3. still the list\n") == []
    assert growing.add("\n```python\nprint(1)\n\n# not a heading\n") == [
        "1. first\n2. second\n\n3. still the list\n\n"
    ]
    assert growing.unfinished == "```python\nprint(1)\n\n# not a heading\n"
