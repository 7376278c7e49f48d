from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memory.secrets import redact
from memory.secrets.patterns import PIECE, REACH, scan_in_pieces

FIRST_BORDER = st.integers(PIECE - REACH, PIECE + 10)
SECOND_BORDER = st.integers(2 * PIECE - REACH, 2 * PIECE + 10)


@given(FIRST_BORDER | SECOND_BORDER, st.integers(1, 3 * REACH), st.integers(0, PIECE))
def test_pieces_hold_what_the_whole_does(before: int, length: int, after: int) -> None:
    """Also what lies across a border, or is longer than a look."""
    text = " " * before + "x" * length + " " * after + "x y" * 3
    for pattern in (re.compile("x+"), re.compile(r"(?<=x) y(?!z)|x"), re.compile(r"(?<!\S)x+\b")):
        spans = [match.span() for match in scan_in_pieces(pattern, text)]
        assert spans == [match.span() for match in pattern.finditer(text)]


@given(
    secret=st.sampled_from(["4111 1111 1111 1111", "sk-proj-Xq7Rt2Lm9Kd4Vw8Zb3Nf6Hs1Yc5"]),
    said=st.permutations(["my number is {}, and that is it.", "the wifi password is {}."]),
    places=st.tuples(FIRST_BORDER, SECOND_BORDER),
)
def test_a_secret_is_found_wherever_it_stands_in_a_long_text(
    secret: str, said: list[str], places: tuple[int, int]
) -> None:
    """Behind it comes as much as a look from before the border can reach."""
    text = ""
    for sentence, place in zip(said, places, strict=True):
        text += f"{'a ' * ((place - len(text)) // 2)}{sentence.format(secret)} "
    assert secret not in redact(text + "b " * REACH)
