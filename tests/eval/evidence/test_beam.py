from __future__ import annotations

from pathlib import Path

from eval.datasets.beam import load_beam


def test_messages_are_dated_by_the_last_day_that_was_named(tiny_beam: Path) -> None:
    [corpus, _] = load_beam(tiny_beam)
    first, second, third = corpus.pieces
    assert (first.at.month, first.at.day) == (3, 15)
    assert (second.at - first.at).total_seconds() == 1
    assert (third.at.month, third.at.day) == (4, 2)
    assert third.at < corpus.now


def test_a_message_is_kept_whole_and_under_its_role(tiny_beam: Path) -> None:
    [corpus, _] = load_beam(tiny_beam)
    assert [piece.role for piece in corpus.pieces] == ["user", "assistant", "user"]
    assert len(corpus.pieces[2].text) == 20_000


def test_abstention_wants_nothing(tiny_beam: Path) -> None:
    [corpus, _] = load_beam(tiny_beam)
    assert [question.evidence for question in corpus.questions] == [{"0"}, frozenset()]
