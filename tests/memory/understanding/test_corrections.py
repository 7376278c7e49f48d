"""What a message corrects of what was told before, and what that says then."""

from __future__ import annotations

import pytest

from memory.understanding.corrections import (
    CORRECTION_TOKENS,
    CorrectionReading,
    corrected_text,
    load_correction_reader,
)
from memory.understanding.encoded_text import Span

OTHERS = [
    "my brother Carl lives in Leeds and drives a van",
    "the surgery on Hill Road opens at half past seven",
]


def places(text: str, *words: str) -> list[Span]:
    return [(text.index(each), text.index(each) + len(each)) for each in words]


def test_what_is_right_takes_the_place_of_what_is_wrong() -> None:
    memory, said = "I ran 25:40 at Plean", "25:14, not 25:40!"
    now = corrected_text(memory, places(memory, "25:40"), said, places(said, "25:14"))
    assert now == "I ran 25:14 at Plean"


def test_the_same_wrong_words_go_wherever_they_stand() -> None:
    memory, said = "Peggy moved in May, and Peggy hates it", "her name is Betty"
    went = [(0, 5), (24, 29)]
    assert corrected_text(memory, went, said, places(said, "Betty")) == (
        "Betty moved in May, and Betty hates it"
    )


def test_as_many_as_come_take_the_place_of_those_that_go_in_their_order() -> None:
    memory, said = "mornings it is Precious, evenings Lorna", "Lorna first, then Precious"
    went, came = places(memory, "Precious", "Lorna"), places(said, "Precious", "Lorna")
    assert corrected_text(memory, went, said, came) == "mornings it is Lorna, evenings Precious"


def test_nothing_is_said_where_nothing_comes() -> None:
    assert corrected_text("I ski", [(2, 5)], "no I do not", []) is None


@pytest.mark.parametrize(
    ("memory", "said", "now"),
    [
        (
            "our plumber is called Finn and he comes on Tuesday",
            "sorry, the plumber comes on Thursday, not Tuesday",
            "our plumber is called Finn and he comes on Thursday",
        ),
        (
            "meine Nichte Lotte studiert in Jena",
            "Quatsch, Lotte studiert in Halle, nicht in Jena",
            "meine Nichte Lotte studiert in Halle",
        ),
    ],
    ids=["en", "de"],
)
def test_the_memory_that_is_meant_is_told_from_others(memory: str, said: str, now: str) -> None:
    read = load_correction_reader().read(said, [OTHERS[0], memory, OTHERS[1]])
    assert [each.is_sure for each in read] == [False, True, False]
    assert read[1].content == now


def test_what_tells_something_new_corrects_nothing() -> None:
    read = load_correction_reader().read("my sister Nora bought a horse last week", OTHERS)
    assert not any(each.is_sure for each in read)


@pytest.mark.parametrize("said", ["", "no, " + "very " * CORRECTION_TOKENS + "wrong"])
def test_what_is_not_read_to_its_end_corrects_nothing(said: str) -> None:
    assert load_correction_reader().read(said, OTHERS) == [CorrectionReading(0.0)] * 2


def test_without_memories_nothing_is_corrected() -> None:
    assert load_correction_reader().read("it is Thursday, not Tuesday", []) == []
