"""What answers a question, told from what is only about the same."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NoReturn

import pytest

from memory.retrieval.answers import AnswerReader, ConfidenceBounds
from memory.retrieval.selection import SelectionOptions
from memory.types import Confidence, MemoryItem
from tests.memory.recall.bench import Bench

LENA = "My wife Lena is a surveyor with the city"
READING = SelectionOptions(reader=AnswerReader())


def unreadable() -> NoReturn:
    raise OSError("the file is gone")


async def found(bench: Bench, query: str, choice: SelectionOptions = READING) -> MemoryItem:
    [item] = (await bench.recalling(choice=choice).recall(bench.asking(query, min_score=0))).items
    return item


async def test_what_answers_is_told_from_what_is_about_the_same(empty_bench: Bench) -> None:
    await empty_bench.keep(LENA)
    answered = await found(empty_bench, "What does my wife Lena do for a living?")
    near = await found(empty_bench, "When did my wife Lena and I marry?")
    assert answered.answer_score > 0.6
    assert near.answer_score < 0.3
    assert near.confidence != "high"


async def test_what_answers_helps_at_least_as_much(empty_bench: Bench) -> None:
    """Whatever the vectors and words say of it."""
    await empty_bench.keep(LENA)
    item = await found(empty_bench, "what does lena do for work")
    assert item.relevance_score >= item.answer_score


async def test_the_day_of_a_memory_is_read_with_it(empty_bench: Bench) -> None:
    asked = "When did I move to Oslo?"
    told = await empty_bench.keep("I moved to Oslo")
    dateless = await found(empty_bench, asked)
    moved = datetime(2024, 5, 12, tzinfo=UTC)
    await empty_bench.run("UPDATE memory_items SET occurred_at = $2 WHERE id = $1", told, moved)
    assert (await found(empty_bench, asked)).answer_score > 0.5 > dateless.answer_score


async def test_where_nothing_can_be_read_the_recall_goes_on(empty_bench: Bench) -> None:
    await empty_bench.keep(LENA)
    choice = SelectionOptions(reader=AnswerReader(unreadable))
    item = await found(empty_bench, "What does my wife Lena do for a living?", choice)
    alone = await found(empty_bench, "What does my wife Lena do for a living?", SelectionOptions())
    assert 0 < item.answer_score == alone.answer_score


async def test_what_is_not_worth_enough_is_left_out_and_said_so(empty_bench: Bench) -> None:
    await empty_bench.keep(LENA)
    asked = empty_bench.asking(
        "When did my wife Lena and I marry?", min_score=0, min_confidence="possible", explain=True
    )
    response = await empty_bench.recalling(choice=READING).recall(asked)
    assert not response.items
    assert [each.why for each in response.left_out] == ["answer"]


@pytest.mark.parametrize(
    ("answers", "confidence"),
    [(1.0, "high"), (0.8, "high"), (0.79, "possible"), (0.2, "possible"), (0.1, "related")],
)
def test_a_confidence_begins_at_its_bound(answers: float, confidence: Confidence) -> None:
    bounds = ConfidenceBounds(high=0.8, possible=0.2)
    assert bounds.confidence(answers) == confidence
    assert bounds.least(confidence) <= answers
