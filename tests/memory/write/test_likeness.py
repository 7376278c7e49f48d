from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.deduplication import near_identical, same_words, text_ratio


def test_each_measure_can_call_two_texts_one() -> None:
    tea = (
        "I like tea in the afternoon, with a drop of milk and one of the biscuits my aunt bakes. "
        * 2
    )
    said = near_identical(tea, tea + "yes", simhash=0, other_simhash=None, cosine=None)
    assert said == "text"
    assert near_identical("a", "b", simhash=0b111, other_simhash=0, cosine=None) == "simhash"
    assert near_identical("a", "b", simhash=0b1111, other_simhash=0, cosine=0.97) == "cosine"
    assert near_identical("a", "b", simhash=0b1111, other_simhash=0, cosine=0.969) is None


def test_another_number_is_never_nearly_the_same_however_long_the_text() -> None:
    note = "The old harbour warehouse keeps ropes and nets behind the green door. " * 20
    for one, other in ((" 3", " 4"), ("", " 1.5")):
        assert not near_identical(
            note + one, note + other, simhash=0, other_simhash=0, cosine=0.999
        )


def test_the_sign_bit_of_a_simhash_is_one_bit() -> None:
    assert near_identical("a", "b", simhash=-(2**63), other_simhash=0, cosine=None) == "simhash"


PAIRS = [
    ("I live in Oslo", "i LIVE in Oslo!", True),
    ("…", "…", True),
    ("…", "!", False),
    ("I like C", "I like C++", False),
    ("I am 34", "I am 35", False),
    ("Tom likes Anna", "Anna likes Tom", False),
]


def test_case_and_punctuation_make_no_other_words() -> None:
    assert [
        (one, other)
        for one, other, same in PAIRS
        if not same_words(one, other) == same_words(other, one) == same
    ] == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_ratio_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert 0 <= text_ratio(one, other) <= 1
    assert text_ratio(one, other) == text_ratio(other, one)
    assert text_ratio(one, one) == 1


@given(st.text(max_size=60))
def test_a_text_says_what_it_says(text: str) -> None:
    assert same_words(text, text)
