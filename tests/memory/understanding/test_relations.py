"""The model of pairs: shapes, order and bounds; its figures are in the decision."""

from __future__ import annotations

import pytest

from memory.understanding.multilingual_encoder import TOKENS
from memory.understanding.relations import RELATIONS, relations_of

OSLO = "I live in Oslo"
OLDER = ["I live in Bergen", "tea " * 50_000, "", "🙂", OSLO]


def test_each_pair_has_probabilities_in_the_order_asked_for() -> None:
    assert relations_of(OSLO, []) == []
    told = relations_of(OSLO, OLDER)
    for each in told:
        assert sum(getattr(each, name) for name in RELATIONS) == pytest.approx(1, abs=1e-4)
    for older, each in zip(OLDER, told, strict=True):
        [alone] = relations_of(OSLO, [older])
        assert alone.over == pytest.approx(each.over, abs=0.05)


def test_a_change_is_one_and_the_same_words_repeat() -> None:
    changed, same = relations_of("I live in Oslo now", ["I moved to Bergen", "I live in Oslo now"])
    assert changed.over > 0.5 > changed.repeats
    assert same.repeats > 0.5 > same.over


def test_what_is_not_read_to_its_end_is_said() -> None:
    assert [each.whole for each in relations_of(OSLO, OLDER)] == [True, False, True, True, True]
    assert not relations_of("tea " * TOKENS, [OSLO])[0].whole
