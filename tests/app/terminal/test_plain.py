from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from app.console import one_line, sanitize, truncate


@given(st.text() | st.text(alphabet="\x00\x07\x1b\x9b[31m\r\n\t\u202ea"))
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    left = sanitize(text)
    assert not any(ord(c) < 32 and c not in "\n\t" for c in left)
    assert not any(0x7F <= ord(c) <= 0x9F or 0xD800 <= ord(c) <= 0xDFFF for c in left)
    assert "\u202e" not in left
    assert sanitize(left) == left
    left.encode()


def test_what_can_be_read_is_left_as_it_is() -> None:
    text = "Tab\tund Zeile\nmit “Zeichen”, 漢字, 🙂 und é"
    assert sanitize(text) == text


@given(st.text(), st.integers(1, 80))
def test_a_cut_line_fits(text: str, width: int) -> None:
    assert cell_len(truncate(one_line(text), width)) <= width


def test_a_line_that_was_longer_ends_in_an_ellipsis() -> None:
    assert truncate("abcdef", 4) == "abc…"
    assert truncate("abcd", 4) == "abcd"
    assert truncate("漢字漢字", 5) == "漢字…"
    assert truncate("x" * 500, None) == "x" * 500
