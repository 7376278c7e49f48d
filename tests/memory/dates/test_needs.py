from __future__ import annotations

from hypothesis import example, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.dates.calendar import vocabulary_of
from memory.dates.finder import RULES
from memory.dates.tense import DateRule
from tests.memory.dates.mutated import SENTENCES_OF_RULES, mutations
from tests.memory.dates.soup import soups


def lacking(text: str) -> list[DateRule]:
    """The rules that match the text and would not be tried on it."""
    words = vocabulary_of(text)
    return [rule for rule in RULES if rule.pattern.search(text) and not rule.may_match(words)]


@given(soups | st.text())
@example("in 3 weeKs on ſunday thiſ summer")
def test_no_rule_matches_a_text_without_the_words_it_needs(text: str) -> None:
    assert lacking(text) == []


def test_every_rule_has_a_sentence() -> None:
    assert all(SENTENCES_OF_RULES)


@profile(max_examples=25)
@given(st.tuples(*map(mutations, SENTENCES_OF_RULES)))
def test_nor_a_sentence_of_a_rule_some_of_whose_words_were_changed(
    changed: tuple[str, ...],
) -> None:
    """Of each rule one."""
    assert [(text, rules) for text in changed if (rules := lacking(text))] == []
