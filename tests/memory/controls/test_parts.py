"""Where a memory is cut, and what of it a wish names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.forgetting.partial import (
    MemoryCut,
    PieceWords,
    cut_memory,
    opening_subject,
)
from memory.actions.matching import QueryWord
from memory.understanding import OfflineReader
from memory.understanding.encoded_text import find_words
from memory.understanding.pieces import MemoryPiece, split_memory
from memory.understanding.segmentation import Gaps

READER = OfflineReader()
VOCABULARY = ("My", "sister", "Maria", "Oslo", "and", "y", "plays", "cello", "in", "barge", "works")
MARKS = (",", ".", ";", "…", "-", "'")
SHARES = st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.9])


@st.composite
def gaps_and_text(draw: st.DrawFn) -> tuple[str, Gaps]:
    said = draw(st.lists(st.sampled_from(VOCABULARY + MARKS), min_size=1, max_size=20))
    text = " ".join(["There", *said])
    tokens = find_words(text)
    shares = draw(st.lists(SHARES, min_size=len(tokens), max_size=len(tokens)))
    return text, list(zip(tokens, shares, strict=True))


def words_of(text: str) -> list[str]:
    return [each.text.casefold() for each in find_words(text) if each.is_word]


def lexemes(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


def told_of(text: str, pieces: list[MemoryPiece]) -> list[PieceWords]:
    opening, names = map(lexemes, opening_subject(text[pieces[0].start : pieces[0].end]))
    first, *others = (lexemes(text[each.start : each.end]) for each in pieces)
    return [PieceWords(first, opening, names), *map(PieceWords, others)]


def wish(*names: str) -> list[QueryWord]:
    return [QueryWord(each, lexemes(each), each[0].isupper()) for each in names]


def cut(text: str, *names: str) -> MemoryCut | None:
    pieces = split_memory(READER.gaps(text))
    return cut_memory(wish(*names), text, pieces, told_of(text, pieces))


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
def test_what_goes_and_what_stays_are_the_memory_and_nothing_named_stays(
    told: tuple[str, Gaps], named: set[str]
) -> None:
    text, gaps = told
    pieces = split_memory(gaps)
    found = cut_memory(wish(*named), text, pieces, told_of(text, pieces))
    if found is None:
        return
    stays, goes, all_words = words_of(found.stays), words_of(found.goes), words_of(text)
    assert len(stays) >= 3
    orders = (stays[:at] + goes + stays[at:] for at in range(len(stays) + 1))
    assert all_words in orders
    first = words_of(text[pieces[0].start : pieces[0].end])
    subject = lexemes(" ".join(opening_subject(text[pieces[0].start : pieces[0].end])))
    left = {each.casefold() for each in named} & set(stays)
    assert left <= subject
    assert not left & set(stays[len(first) :])
    assert {each.casefold() for each in named} & set(goes)


@pytest.mark.parametrize(
    ("memory", "named", "goes", "stays"),
    [
        (
            "My cousin Tilda mends clocks and sleeps on a boat near Leiden",
            ("Tilda", "boat"),
            "and sleeps on a boat near Leiden",
            "My cousin Tilda mends clocks",
        ),
        (
            "The car is a Fiat Panda, and there's a moped, a Vespa, that Ewan fixed",
            ("moped",),
            "and there's a moped, a Vespa, that Ewan fixed",
            "The car is a Fiat Panda",
        ),
        (
            "Mi hermana Ana vive en Vigo y trabaja en un banco. Canta muy bien.",
            ("Ana", "banco"),
            "y trabaja en un banco.",
            "Mi hermana Ana vive en Vigo. Canta muy bien.",
        ),
    ],
)
def test_the_part_that_is_named_goes(
    memory: str, named: tuple[str, ...], goes: str, stays: str
) -> None:
    assert cut(memory, *named) == MemoryCut(goes, stays)


WHOLES: list[tuple[str, tuple[str, ...]]] = [
    ("My cousin Tilda mends clocks and sleeps on a boat near Leiden", ("Tilda",)),
    ("My cousin Tilda mends clocks and sleeps on a boat near Leiden", ("clocks",)),
    ("My cousin Tilda mends clocks and sleeps on a boat near Leiden", ("clocks", "boat")),
    ("I like Bach and I play the violin", ("Bach", "violin")),
    ("The car and the moped are red and old", ("car", "moped")),
    ("Ewan left and sings in a choir", ("choir",)),
    ("My uncle Ben drives a van for a bakery in Hull", ("bakery",)),
    ("Rex", ("Rex",)),
]


def test_the_whole_goes_where_it_is_not_plain_what_may_stay() -> None:
    assert [
        (memory, named, got) for memory, named in WHOLES if (got := cut(memory, *named)) is not None
    ] == []


def test_nothing_in_nothing_is_cut() -> None:
    assert split_memory([]) == []
