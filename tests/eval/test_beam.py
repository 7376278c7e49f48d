from __future__ import annotations

from pathlib import Path

from eval.beam import count_cut, load_beam
from memory.models import MAX_ITEM_CHARS


def test_messages_are_dated_by_the_last_day_that_was_named(tiny_beam: Path) -> None:
    [corpus] = load_beam(tiny_beam)
    first, second, third = corpus.pieces
    assert (first.at.month, first.at.day) == (3, 15)
    assert (second.at - first.at).total_seconds() == 1
    assert (third.at.month, third.at.day) == (4, 2)
    assert third.at < corpus.now


def test_a_message_is_cut_to_what_a_memory_can_hold(tiny_beam: Path) -> None:
    [corpus] = load_beam(tiny_beam)
    assert [len(piece.text) <= MAX_ITEM_CHARS for piece in corpus.pieces] == [True] * 3
    assert len(corpus.pieces[2].text) == MAX_ITEM_CHARS
    assert count_cut(tiny_beam) == 1


def test_abstention_wants_nothing(tiny_beam: Path) -> None:
    [corpus] = load_beam(tiny_beam)
    assert [question.evidence for question in corpus.questions] == [{"0"}, frozenset()]
