"""Which part of a memory goes with a wish to forget."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.forgetting.partial import cut_memory
from memory.understanding.encoded_text import Span, find_words
from memory.understanding.outdated import OutdatedWords

VOCABULARY = ("My", "sister", "Maria", "Oslo", "and", "y", "plays", "cello", "in", ",", ".", "-")
MARIA = "My sister Maria plays the cello and lives in Oslo"


def words_of(text: str) -> list[str]:
    return [each.text.casefold() for each in find_words(text) if each.is_word]


def going(run: Span, told: float = 1.0) -> Callable[[str, str], OutdatedWords | None]:
    return lambda _wish, _text: OutdatedWords(*run, told)


def where(text: str, words: str) -> Span:
    return text.index(words), text.index(words) + len(words)


@given(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=20), st.data())
def test_what_goes_and_what_stays_are_the_words_of_the_memory(
    said: list[str], data: st.DataObject
) -> None:
    text = " ".join(["There", *said])
    words = find_words(text)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    cut = cut_memory("forget it", text, going((words[first].start, words[last].end)))
    if cut is not None:
        assert len(words_of(cut.stays)) >= 3
        assert sorted(words_of(cut.goes) + words_of(cut.stays)) == sorted(words_of(text))


@pytest.mark.parametrize(
    ("memory", "named", "stays"),
    [
        (MARIA, "and lives in Oslo", "My sister Maria plays the cello"),
        (MARIA, "plays the cello and", "My sister Maria lives in Oslo"),
        ("The car is a Fiat Panda. The bike is in the shed.", "The car is a Fiat Panda.",
         "The bike is in the shed."),
    ],
)  # fmt: skip
def test_what_is_meant_goes_and_the_rest_stays(memory: str, named: str, stays: str) -> None:
    cut = cut_memory("forget it", memory, going(where(memory, named)))
    assert cut is not None
    assert (cut.goes, cut.stays) == (named, stays)


def test_what_went_is_known_when_it_is_told_again_of_the_same_person() -> None:
    cut = cut_memory("forget it", MARIA, going(where(MARIA, "and lives in Oslo")))
    assert cut is not None
    assert cut.said_again == "My sister Maria and lives in Oslo"


@pytest.mark.parametrize(
    "read",
    [
        going((0, len(MARIA))),
        going(where(MARIA, "and lives in Oslo"), told=0.01),
        going(where(MARIA, "Maria plays the cello and lives in Oslo")),
        lambda _wish, _text: None,
    ],
)
def test_the_whole_goes_where_no_rest_is_told_apart(
    read: Callable[[str, str], OutdatedWords | None],
) -> None:
    assert cut_memory("forget it", MARIA, read) is None


@pytest.mark.parametrize(
    ("wish", "memory"),
    [
        ("forget my pin codes", "My bank pin is 4711, I bank with DNB, and my phone pin is 0815."),
        ("forget the door code",
         f"The plans are at https://example.com/{'a1b2c3d4e5' * 55} and the door code is 4711."),
    ],
)  # fmt: skip
def test_nothing_of_what_is_meant_stays_where_not_all_of_it_is_found(
    wish: str, memory: str
) -> None:
    assert cut_memory(wish, memory) is None
