"""Which of two memories comes first, where the later one may have taken the place of the other."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from memory.retrieval.selection import SelectionPolicy, choose_memories
from memory.retrieval.succession import weigh_succession
from tests.memory.recall.choice.test_choosing import HARDLY, NOW, POLICY, SURE, judged, numbers, row

EARLIER = (row(1, "I live in Oslo", doubted_by=(UUID(int=2),)), SURE)
LATER = (row(2, "We got the keys to the flat in Bergen", cosine=0.3), HARDLY)
OTHER = (row(3, "My sister lives in Oslo too"), SURE)


def test_what_may_have_taken_its_place_is_returned_with_it_and_comes_first() -> None:
    weighed = weigh_succession(judged(EARLIER, LATER), POLICY, NOW)
    assert numbers(choose_memories(weighed, POLICY).kept) == [2, 1]


def test_for_what_was_before_the_earlier_one_comes_first() -> None:
    weighed = weigh_succession(judged(EARLIER, LATER), POLICY, NOW)
    assert numbers(choose_memories(weighed, POLICY, past=True).kept) == [1, 2]


def test_neither_is_as_sure_as_what_nobody_doubts() -> None:
    read = [replace(each, answers=0.9) for each in judged(EARLIER, LATER, OTHER)]
    read[1] = replace(read[1], answers=0.1)
    told = {each.id.int: each.answers for each in weigh_succession(read, POLICY, NOW)}
    assert told == pytest.approx({1: 0.45, 2: 0.45, 3: 0.9})


def test_what_is_surely_the_answer_stays_so() -> None:
    read = [replace(each, answers=0.9) for each in judged(EARLIER, LATER)]
    told = {each.id.int: each.answers for each in weigh_succession(read, POLICY, NOW)}
    assert told == pytest.approx({1: 0.45, 2: 0.9})


def test_what_was_left_out_for_another_reason_than_its_score_stays_out() -> None:
    asks = (row(2, "Do I live in Bergen?"), SURE)
    weighed = weigh_succession(judged(EARLIER, asks), POLICY, NOW)
    assert numbers(choose_memories(weighed, POLICY).kept) == [1]


def test_without_the_later_one_nothing_is_doubted() -> None:
    alone = judged(EARLIER, OTHER)
    assert weigh_succession(alone, POLICY, NOW) == alone


def test_two_that_doubt_each_other_are_both_returned() -> None:
    one = (row(1, doubted_by=(UUID(int=2),)), SURE)
    other = (row(2, doubted_by=(UUID(int=1),)), SURE)
    kept = choose_memories(weigh_succession(judged(one, other), POLICY, NOW), POLICY).kept
    assert sorted(numbers(kept)) == [1, 2]


def test_a_cut_that_keeps_everything_keeps_the_order() -> None:
    policy = SelectionPolicy(min_score=0.0)
    weighed = weigh_succession(judged(EARLIER, LATER, OTHER, policy=policy), policy, NOW)
    kept = numbers(choose_memories(weighed, policy).kept)
    assert kept.index(2) < kept.index(1)
