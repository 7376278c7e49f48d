from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.dates.finding import RULES
from memory.dates.scene import Rule
from memory.dates.words import words_in
from tests.memory.dates.mutated import SENTENCES_OF_RULES, mutations
from tests.memory.dates.soup import soups


def lacking(text: str) -> list[Rule]:
    """The rules that match the text and would not be tried on it."""
    words = words_in(text)
    return [rule for rule in RULES if rule.pattern.search(text) and not rule.may_match(words)]


@given(soups | st.text())
@example("in 3 weeKs on ſunday thiſ summer")
def test_no_rule_matches_a_text_without_the_words_it_needs(text: str) -> None:
    assert lacking(text) == []


def test_every_rule_that_needs_words_has_a_sentence() -> None:
    of_rules = zip(RULES, SENTENCES_OF_RULES, strict=True)
    assert all(sentences for rule, sentences in of_rules if rule.needs)


@pytest.mark.parametrize("sentences", [each for each in SENTENCES_OF_RULES if each])
@profile(max_examples=25)
@given(st.data())
def test_nor_a_sentence_of_a_rule_some_of_whose_words_were_changed(
    sentences: list[str], data: st.DataObject
) -> None:
    assert lacking(data.draw(mutations(sentences))) == []
