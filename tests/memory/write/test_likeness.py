from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.likeness import near_identical, same_statement, slightly_apart, text_ratio
from memory.write.statements.wording import read


def test_each_measure_can_call_two_texts_one() -> None:
    assert near_identical("I like tea", "I LIKE tea", simhash=0, other_simhash=None, cosine=None)
    assert near_identical("a", "b", simhash=0b111, other_simhash=0, cosine=None) == "simhash"
    assert near_identical("a", "b", simhash=0b1111, other_simhash=0, cosine=0.97) == "cosine"
    assert near_identical("a", "b", simhash=0b1111, other_simhash=0, cosine=0.969) is None


def test_another_number_or_negation_is_never_nearly_the_same_however_long_the_text() -> None:
    note = "The old harbour warehouse keeps ropes and nets behind the green door. " * 20
    for one, other in ((" 3", " 4"), (" It is open", " It is not open"), ("", " 1.5")):
        assert not near_identical(
            note + one, note + other, simhash=0, other_simhash=0, cosine=0.999
        )


def test_the_sign_bit_of_a_simhash_is_one_bit() -> None:
    assert near_identical("a", "b", simhash=-(2**63), other_simhash=0, cosine=None) == "simhash"


SAME = [
    ("I like tea", "I love tea"),
    ("I speak German and Norwegian", "I speak Norwegian and German"),
    ("I live in Oslo", "I live in Oslo with Anna"),
    ("My mum is a teacher", "My mother is a teacher"),
    ("I have 2 cats", "I have two cats"),
]
APART = [
    ("I am 34", "I am 35"),
    ("I like tea", "I don't like tea"),
    ("I live in Oslo with Anna", "I live in Oslo"),
    ("Tom likes Anna", "Anna likes Tom"),
    ("I prefer tabs over spaces", "I prefer spaces over tabs"),
    ("My sister Maria", "My sister Anna"),
    ("I like tea", "I like tea when I am ill"),
    ("I don't eat meat", "I don't eat meat on Fridays"),
    ("I lived in Rome", "I live in Rome"),
    ("I run before work", "I run after work"),
    ("Invoice 4711 was paid", "Invoice 4712 was paid"),
]


@pytest.mark.parametrize(("new", "old"), SAME)
def test_it_says_nothing_that_the_other_does_not(new: str, old: str) -> None:
    assert same_statement(read(new), read(old))


@pytest.mark.parametrize(("new", "old"), APART)
def test_a_number_name_negation_order_or_condition_makes_another_statement(
    new: str, old: str
) -> None:
    assert not same_statement(read(new), read(old))


def test_a_slip_of_the_pen_is_slight_and_a_name_is_not() -> None:
    assert slightly_apart(
        read("I have recieved the contract"), read("I have received the contract")
    )
    assert not slightly_apart(read("My sister Marie is here"), read("My sister Maria is here"))
    assert not slightly_apart(read("I like my red bike"), read("I like my blue bike"))


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_ratio_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert 0 <= text_ratio(one, other) <= 1
    assert text_ratio(one, other) == text_ratio(other, one)
    assert text_ratio(one, one) == 1


@given(st.text(max_size=60))
def test_a_text_says_what_it_says(text: str) -> None:
    assert same_statement(read(text), read(text))
    assert slightly_apart(read(text), read(text))
