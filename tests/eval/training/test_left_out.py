"""Fitting from sentences of a few writers, each measured by what learned from the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.errors import DatasetUnreadable
from eval.training.left_out import train
from eval.training.sentences import Label, Labelled, load_sentences
from memory.understanding.left_out import FILE

SAID: dict[Label, str] = {
    "do_not_remember": "keep this out of your notes, I like {}",
    "points_back": "drop what I said before about it, {}",
    "other": "I like {} and my sister likes it as well",
}
WRITERS = {"a": ("tea", "rye"), "b": ("milk", "figs"), "c": ("rice", "plums")}


def sentences() -> list[Labelled]:
    return [
        Labelled(text=text.format(what), label=label, language="en", writer=writer)
        for writer, liked in WRITERS.items()
        for what in liked
        for label, text in SAID.items()
    ]


def test_what_is_plain_is_learned_from_others_and_the_same_each_time(tmp_path: Path) -> None:
    [whole, *rows] = train(sentences(), tmp_path / "one.json")
    assert (whole["do_not_remember"], whole["points_back"], whole["direction"]) == (1.0, 1.0, 1.0)
    assert [each["of"] for each in rows] == ["writer a", "writer b", "writer c", "language en"]
    train(sentences(), tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_the_sentences_that_are_shipped_can_be_read() -> None:
    found = load_sentences()
    assert {each.label for each in found} == {"do_not_remember", "points_back", "other"}
    assert len({each.writer for each in found}) > 1
    assert FILE.exists()


def test_a_fault_in_the_sentences_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "x", "label": "perhaps"}\n', encoding="utf-8")
    with pytest.raises(DatasetUnreadable, match=r"a\.jsonl"):
        load_sentences(tmp_path)
