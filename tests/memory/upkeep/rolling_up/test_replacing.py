from __future__ import annotations

import pytest

from memory.upkeep.rolling_up.replacing import hidden, replaceable
from tests.memory.upkeep.rolling_up.sources import source

HOME = source(1, "My sister Maria moved to Bergen")
CATS = source(2, "My sister Maria has two cats")
WORK = source(3, "My sister Maria works at Siemens")
TEACHER = source(4, "Anna works as a teacher now")


@pytest.mark.parametrize(
    "content",
    ["I live in Oslo", "Anna works as a teacher now", "Amir's birthday is in March"],
)
def test_of_what_one_value_holds_at_a_time_a_newer_one_takes_the_place(content: str) -> None:
    assert replaceable(content)


@pytest.mark.parametrize(
    "content",
    ["We paid 340 euros for my canoe", "My sister Maria likes opera", "I lived in Rome in 2010"],
)
def test_what_is_over_done_or_liked_is_not_replaced(content: str) -> None:
    assert not replaceable(content)


def test_what_the_whole_still_fills_in_is_not_hidden() -> None:
    assert hidden(f"{HOME.content}. {CATS.content}.", [HOME, CATS]) == []


def test_what_only_a_later_sentence_tells_is_hidden() -> None:
    assert hidden(f"{CATS.content}. {HOME.content}.", [CATS, HOME]) == [HOME]
    assert hidden(f"{HOME.content}. {WORK.content}.", [HOME, WORK]) == [WORK]


def test_the_same_of_another_person_does_not_stand_for_it() -> None:
    hugo = source(5, "Hugo works as a teacher now")
    assert hidden(f"{hugo.content}. {TEACHER.content}.", [hugo, TEACHER]) == [TEACHER]
