"""Which of two memories comes first, where the later one may have taken the place of the other."""

from __future__ import annotations

from uuid import UUID

import pytest

from memory.retrieval.selection import RecallCandidate, SelectionPolicy, choose_memories
from memory.retrieval.succession import DOUBTED, DOUBTING, weigh_succession
from tests.memory.recall.choice.test_choosing import HARDLY, NOW, POLICY, SURE, judged, numbers, row

EARLIER = (row(1, "I live in Oslo", doubted_by=(UUID(int=2),)), SURE)
LATER = (row(2, "We got the keys to the flat in Bergen", cosine=0.3), HARDLY)
OTHER = (row(3, "My sister lives in Oslo too"), SURE)


def weighed(
    *candidates: RecallCandidate, policy: SelectionPolicy = POLICY, past: bool = False
) -> list[RecallCandidate]:
    return weigh_succession(candidates, policy, NOW, possible=0.1, past=past)


def answering(*answers: float, past: bool = False) -> dict[int, float]:
    """What the earlier, the later and another one answer with, by number."""
    read = zip(judged(EARLIER, LATER, OTHER), answers, strict=True)
    return {
        each.id.int: each.answers
        for each in weighed(*[one.answered(share) for one, share in read], past=past)
    }


def test_what_may_have_taken_its_place_is_returned_with_it_and_comes_first() -> None:
    found = weighed(*judged(EARLIER, LATER))
    assert numbers(choose_memories(found, POLICY).kept) == [2, 1]


def test_for_what_was_before_the_earlier_one_comes_first_and_is_sure() -> None:
    found = weighed(*judged(EARLIER, LATER), past=True)
    assert numbers(choose_memories(found, POLICY, past=True).kept) == [1, 2]
    assert answering(0.9, 0.9, 0.9, past=True) == pytest.approx({1: 0.9, 2: 0.45, 3: 0.9})


def test_the_earlier_one_is_not_as_sure_as_what_nobody_doubts() -> None:
    assert answering(0.9, 0.1, 0.9) == pytest.approx({1: 0.45, 2: 0.45, 3: 0.9})
    assert answering(0.9, 0.9, 0.9) == pytest.approx({1: 0.45, 2: 0.9, 3: 0.9})


def test_what_was_a_possible_answer_stays_one() -> None:
    assert answering(0.16, 0.02, 0.0) == pytest.approx({1: 0.1, 2: 0.1, 3: 0.0})


def test_both_are_noted() -> None:
    earlier, later = weighed(*judged(EARLIER, LATER))
    assert (earlier.notes, later.notes) == ((DOUBTED,), (DOUBTING,))


def test_a_later_one_of_several_helps_as_the_likeliest_of_them() -> None:
    hardly = (row(4, "My flat in Oslo has two rooms", doubted_by=(UUID(int=2),)), HARDLY)
    found = weighed(*judged(EARLIER, LATER, hardly))
    assert numbers(choose_memories(found, POLICY).kept)[:2] == [2, 1]


def test_of_several_later_ones_the_latest_comes_first() -> None:
    first = (row(1, "I weigh 82 kg", doubted_by=(UUID(int=3), UUID(int=2))), SURE)
    found = weighed(*judged(first, (row(2), HARDLY), (row(3), HARDLY)))
    assert numbers(choose_memories(found, POLICY).kept) == [3, 2, 1]


def test_what_was_left_out_for_another_reason_than_its_score_stays_out() -> None:
    asks = (row(2, "Do I live in Bergen?"), SURE)
    found = weighed(*judged(EARLIER, asks))
    assert numbers(choose_memories(found, POLICY).kept) == [1]


def test_what_nobody_doubts_is_left_as_it_is() -> None:
    others = judged(OTHER, LATER)
    assert weighed(*others) == others


def test_two_that_doubt_each_other_are_both_returned() -> None:
    one = (row(1, doubted_by=(UUID(int=2),)), SURE)
    other = (row(2, doubted_by=(UUID(int=1),)), SURE)
    kept = choose_memories(weighed(*judged(one, other)), POLICY).kept
    assert sorted(numbers(kept)) == [1, 2]


def test_a_cut_that_keeps_everything_keeps_the_order() -> None:
    policy = SelectionPolicy(min_score=0.0)
    found = weighed(*judged(EARLIER, LATER, OTHER, policy=policy), policy=policy)
    kept = numbers(choose_memories(found, policy).kept)
    assert kept.index(2) < kept.index(1)
