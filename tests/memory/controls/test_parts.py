"""Which part of a memory goes with a wish to forget, by how surely each word goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.forgetting.partial import cut_memory
from memory.understanding import OfflineReader
from memory.understanding.encoded_text import TextWord, find_words
from memory.understanding.pieces import split_memory
from memory.understanding.segmentation import Gaps

READER = OfflineReader()
VOCABULARY = ("My", "sister", "Maria", "Oslo", "and", "y", "plays", "cello", "in", "barge", "works")
MARKS = (",", ".", ";", "…", "-", "'")
SHARES = st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.9])
MARIA = "My sister Maria plays the cello and lives in Oslo"


@st.composite
def gaps_and_text(draw: st.DrawFn) -> tuple[str, Gaps]:
    said = draw(st.lists(st.sampled_from(VOCABULARY + MARKS), min_size=1, max_size=20))
    text = " ".join(["There", *said])
    tokens = find_words(text)
    shares = draw(st.lists(SHARES, min_size=len(tokens), max_size=len(tokens)))
    return text, list(zip(tokens, shares, strict=True))


def words_of(text: str) -> list[str]:
    return [each.text.casefold() for each in find_words(text) if each.is_word]


def going(*names: str) -> Callable[[str, str], Sequence[tuple[TextWord, float]]]:
    """A model that is sure of these words alone."""
    return lambda _wish, text: [
        (each, 4.0 if each.text in names else -4.0) for each in find_words(text)
    ]


@given(gaps_and_text())
def test_the_pieces_are_the_text_in_order_and_none_is_a_single_word(
    told: tuple[str, Gaps],
) -> None:
    text, gaps = told
    pieces = split_memory(gaps)
    assert "".join(text[each.start : each.end] for each in pieces) == text
    assert len(pieces) == 1 or all(
        len(words_of(text[each.start : each.end])) >= 2 for each in pieces
    )


@given(gaps_and_text(), st.sets(st.sampled_from(VOCABULARY), min_size=1, max_size=4))
def test_what_goes_and_what_stays_are_the_words_of_the_memory(
    told: tuple[str, Gaps], named: set[str]
) -> None:
    text, gaps = told
    cut = cut_memory("forget it", text, gaps, going(*named))
    if cut is not None:
        assert len(words_of(cut.stays)) >= 3
        assert set(words_of(cut.goes)) | set(words_of(cut.stays)) == set(words_of(text))


@pytest.mark.parametrize(
    ("memory", "named", "goes", "stays"),
    [
        (MARIA, "Oslo", "and lives in Oslo", "My sister Maria plays the cello"),
        (MARIA, "cello", "My sister Maria plays the cello",
         "My sister Maria: and lives in Oslo"),
        ("The car is a Fiat Panda. The bike is in the shed.", "Panda", "The car is a Fiat Panda.",
         "The bike is in the shed."),
    ],
)  # fmt: skip
def test_what_stays_says_of_whom_it_is(memory: str, named: str, goes: str, stays: str) -> None:
    cut = cut_memory("forget it", memory, READER.gaps(memory), going(named))
    assert cut is not None
    assert (cut.goes, cut.stays) == (goes, stays)


def test_the_whole_goes_where_the_rest_would_not_say_of_whom_it_is() -> None:
    memory = "my nan plays bingo on Mondays, and she has a bad hip and two cats"
    assert cut_memory("forget it", memory, READER.gaps(memory), going("bingo")) is None


def test_nothing_in_nothing_is_cut() -> None:
    assert split_memory([]) == []
