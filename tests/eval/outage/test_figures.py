from __future__ import annotations

from uuid import UUID

import pytest

from eval.datasets.golden import GOLDEN_NOW, GoldenCase
from eval.datasets.outage import (
    OUTAGES,
    WHOLE,
    Outage,
    OutageAnswer,
    outage_failures,
    outage_metrics,
)
from memory.types import MemoryItem, MemoryQueryResponse, SearchMethod

BY_NAME = {outage.name: outage for outage in (WHOLE, *OUTAGES)}
RIGHT, WRONG = (str(UUID(int=number)) for number in (1, 2))
BOTH: tuple[SearchMethod, ...] = ("keyword", "vector")


def item(item_id: str, relevance: float = 0.9) -> MemoryItem:
    return MemoryItem(
        id=item_id,
        content="I live in Bergen.",
        type="fact",
        relevance_score=relevance,
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=GOLDEN_NOW,
        importance=0.5,
    )


def answered(
    *items: MemoryItem,
    degraded: tuple[SearchMethod, ...] = (),
    error: bool = False,
    raised: bool = False,
    query: str = "Where do I live?",
    wanted: tuple[str, ...] = (RIGHT,),
) -> OutageAnswer:
    case = GoldenCase(id="town", category="time", query=query, expected_retrievals=())
    response = MemoryQueryResponse(items=list(items), degraded=degraded, error=error)
    return OutageAnswer(case, frozenset(wanted), None if raised else response, 10.0)


def test_flags_name_what_is_away_and_nothing_else() -> None:
    for outage, answer, right in (
        ("whole", answered(), True),
        ("whole", answered(degraded=("vector",)), False),
        ("redis", answered(item(RIGHT)), True),
        ("vector", answered(item(RIGHT), degraded=("vector",)), True),
        ("vector", answered(item(RIGHT)), False),
        ("vector", answered(item(RIGHT), degraded=("keyword",)), False),
        ("vector", answered(degraded=BOTH, error=True), False),
        ("keyword", answered(degraded=("keyword",)), True),
        ("keyword", answered(degraded=("keyword",), error=True), False),
        ("embedder", answered(raised=True), False),
        ("both", answered(degraded=BOTH, error=True), True),
        ("both", answered(degraded=BOTH), False),
        ("both", answered(item(RIGHT), degraded=BOTH, error=True), False),
        ("both", answered(query=""), True),
        ("both", answered(query="", degraded=BOTH, error=True), False),
    ):
        assert answer.flags_right(BY_NAME[outage]) is right, (outage, answer)
        answers: dict[str, list[OutageAnswer]] = {name: [] for name in BY_NAME}
        answers[outage] = [answer]
        assert bool(outage_failures(answers, OUTAGES)) is not right, (outage, answer)


def test_figures_tell_what_an_outage_leaves() -> None:
    whole = [answered(item(RIGHT)), answered(item(RIGHT)), answered(wanted=())]
    answers = [
        answered(item(RIGHT), item(WRONG), degraded=("vector",)),
        answered(raised=True),
        answered(item(WRONG), degraded=("vector",), wanted=()),
    ]
    figures = outage_metrics(answers, whole, BY_NAME["vector"])
    assert (figures["recalls"], figures["raised"]) == (3, 1)
    assert figures["answered"] == figures["flags_right"] == pytest.approx(2 / 3)
    assert figures["recall_at_5"] == figures["of_whole_recall"] == 0.5
    assert figures["precision_at_5"] == 0.5
    assert figures["no_answer_accuracy"] == 0.0
    assert figures["changed"] == 3
    assert figures["latency_p95_ms"] == 10.0


def test_an_answer_changes_with_its_memories_their_order_and_their_relevance() -> None:
    before = [answered(item(RIGHT), item(WRONG))]
    redis = BY_NAME["redis"]
    same = [answered(item(RIGHT, 0.9 + 1e-9), item(WRONG))]
    assert outage_metrics(same, before, redis)["changed"] == 0
    for other in (
        answered(item(WRONG), item(RIGHT)),
        answered(item(RIGHT)),
        answered(item(RIGHT, 0.8), item(WRONG)),
    ):
        assert outage_metrics([other], before, redis)["changed"] == 1


def test_only_without_both_legs_an_answer_is_an_error() -> None:
    assert [outage.name for outage in OUTAGES if outage.error] == ["both"]
    assert not Outage("one", ("vector",)).error
