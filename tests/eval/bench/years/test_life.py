from __future__ import annotations

from collections import Counter

from eval.bench.years import BEGIN, END, StoryGenerator


def test_the_same_seed_is_the_same_life() -> None:
    life = StoryGenerator(7).life(600)
    assert life == StoryGenerator(7).life(600)
    assert life != StoryGenerator(8).life(600)
    assert len(life.said) == 600


def test_it_is_told_in_order_and_within_the_two_years() -> None:
    moments = [said.item.created_at or BEGIN for said in StoryGenerator(7).life(600).said]
    assert moments == sorted(moments)
    assert moments[0] >= BEGIN
    assert moments[-1] <= END


def test_what_is_asked_is_answered_by_what_still_holds() -> None:
    life = StoryGenerator(7).life(1000)
    replaced = {said.replaces for said in life.said}
    kinds = Counter(question.kind for question in life.questions)
    assert set(kinds) == {"details", "lasting", "changes"}
    for question in life.questions:
        assert question.answer in life.said
        assert question.answer.place not in replaced


def test_what_replaces_comes_after_what_it_replaces() -> None:
    life = StoryGenerator(7).life(600)
    order = {said.place: number for number, said in enumerate(life.said)}
    pairs = [(said.place, said.replaces) for said in life.said if said.replaces is not None]
    assert pairs
    assert all(order[new] > order[old] for new, old in pairs)
