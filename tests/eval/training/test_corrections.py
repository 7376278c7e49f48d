"""Which words a labelled correction exchanges."""

from __future__ import annotations

import random

import pytest

from eval.training.correction_labels import exchanged_words, plain_talk
from eval.training.data import LIVES_FOLDER, load_labelled_messages


@pytest.mark.parametrize(
    ("memory", "said", "after", "goes", "comes"),
    [
        ("I ran 25:40", "25:14, not 25:40", "I ran 25:14", ["25:40"], ["25:14"]),
        (
            "Peggy moved and Peggy cried",
            "it was betty",
            "Betty moved and Betty cried",
            ["Peggy", "Peggy"],
            ["betty"],
        ),
        (
            "Emil verträgt keine Milch",
            "Milch ist gut, Weizen nicht",
            "Emil verträgt keinen Weizen",
            ["Milch"],
            ["Weizen"],
        ),
    ],
    ids=["a value", "twice", "an ending is put right"],
)
def test_words_that_go_and_words_that_come(
    memory: str, said: str, after: str, goes: list[str], comes: list[str]
) -> None:
    went, came = exchanged_words(memory, said, after)
    assert [memory[slice(*each)] for each in went or ()] == goes
    assert [said[slice(*each)] for each in came or ()] == comes


def test_words_that_the_message_does_not_have_are_not_known() -> None:
    went, came = exchanged_words("I have two cats", "three of them", "I have 3 cats")
    assert went == [(7, 10)]
    assert came is None


def test_what_is_told_over_months_corrects_nothing() -> None:
    messages = load_labelled_messages(LIVES_FOLDER)
    talk = plain_talk(messages, 50, random.Random(1))
    assert len(talk) == 50
    assert all(each.of is None and len(each.memories) == 4 for each in talk)
    assert all(each.said not in each.memories for each in talk)
