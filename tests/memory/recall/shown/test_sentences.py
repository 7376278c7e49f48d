from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.understanding.sentences import clause_ends, sentence_ends, split_sentences

text = st.text(st.sampled_from('aB .?!…\n"”),;:–-Dr1'), max_size=80)


WHOLES: list[tuple[str, list[str]]] = [
    ("One. Two! Three?", ["One.", "Two!", "Three?"]),
    ("Ask Dr. Lee. Then J. Smith.", ["Ask Dr. Lee.", "Then J. Smith."]),
    ("1. Tea\n2. Milk", ["1. Tea", "2. Milk"]),
    ("Version 3.11 is out… Really?!", ["Version 3.11 is out…", "Really?!"]),
    ('He said "no." Then left', ['He said "no."', "Then left"]),
    ("我住在奥斯陆。你呢？", ["我住在奥斯陆。", "你呢？"]),
    ("I am 30. Ada is 29.", ["I am 30.", "Ada is 29."]),
    ("\n \n", []),
]


def test_sentences() -> None:
    assert [
        (whole, got) for whole, parts in WHOLES if (got := list(split_sentences(whole))) != parts
    ] == []


def test_clauses_end_at_marks_between_words() -> None:
    told = "Tea, milk; at 10:30 – or 1,000 well-known ones"
    assert [told[:end] for end in clause_ends(told)] == [
        "Tea,",
        "Tea, milk;",
        "Tea, milk; at 10:30",
    ]


@given(text)
def test_nothing_but_space_is_lost(whole: str) -> None:
    assert "".join("".join(split_sentences(whole)).split()) == "".join(whole.split())


@given(text)
def test_ends_are_places_in_order(whole: str) -> None:
    for ends in (list(sentence_ends(whole)), list(clause_ends(whole))):
        assert ends == sorted(ends)
        assert all(0 <= end <= len(whole) for end in ends)
