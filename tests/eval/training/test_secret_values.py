"""Fitting from marked sentences of a few writers, each measured by what learned from the others."""

from __future__ import annotations

from pathlib import Path

from eval.training.data import MarkedSentence, load_labelled_messages, load_marked_sentences
from eval.training.secret_values import (
    SecretValueExample,
    hold_out_secret_values,
    secret_value_examples,
    secret_value_metrics,
    train_secret_values,
)

WRITERS = {"a": ("4417", "8250"), "b": ("3961", "7704"), "c": ("5182", "9036")}


def examples() -> list[SecretValueExample]:
    said = ("the gate opens with ⟦{}⟧, push hard", "we sold {} jars of honey this year")
    sentences = [
        MarkedSentence(language="en", writer=writer, text=text.format(number))
        for writer, numbers in WRITERS.items()
        for number in numbers
        for text in said
    ]
    return secret_value_examples(sentences, load_labelled_messages()[:20])


def test_what_is_plain_is_learned_from_others() -> None:
    [whole, *_] = secret_value_metrics(hold_out_secret_values(examples()), surely=0)
    assert (whole["secrets"], whole["look-alikes"]) == ("6/6", "0/6")


def test_the_same_weights_come_out_each_time(tmp_path: Path) -> None:
    train_secret_values(examples(), tmp_path / "one.npz")
    train_secret_values(examples(), tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_half_of_the_sentences_that_are_shipped_are_look_alikes() -> None:
    marked = ["⟦" in each.text for each in load_marked_sentences()]
    assert 0.3 < sum(marked) / len(marked) < 0.7
