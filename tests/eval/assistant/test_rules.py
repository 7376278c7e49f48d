from __future__ import annotations

from typing import Any

import pytest

from eval.assistant.rules import Reply, judge
from eval.assistant.tasks import Task

OATS = "I drink my coffee with oat milk"
CITED = f"Based on what you told me: “{OATS}”"


@pytest.fixture
def task(milk: dict[str, Any]) -> Task:
    return Task.model_validate(milk)


def test_a_reply_with_every_fact_and_its_source_is_right(task: Task) -> None:
    verdict = judge(task, Reply(CITED, (OATS,)))
    assert (verdict.solved, verdict.cited, verdict.invented) == (True, True, False)
    assert verdict.faults == ()


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply("Whole milk."), "lacks oat milk (not kept)"),
        (Reply("Whole milk.", (), (OATS,)), "lacks oat milk (kept and not recalled)"),
        (Reply("Whole milk.", (OATS,)), "lacks oat milk (recalled and not said)"),
        (Reply(f"{CITED} Your sister plays the harp.", (OATS,)), "has harp"),
        (Reply(CITED, (OATS,), failed="failed: ReplyFailed"), "failed: ReplyFailed"),
    ],
)
def test_what_is_wrong_is_told(task: Task, reply: Reply, fault: str) -> None:
    verdict = judge(task, reply)
    assert not verdict.solved
    assert fault in verdict.faults


def test_another_wording_will_do(task: Task) -> None:
    assert judge(task, Reply("You told me: oats in your coffee.", (OATS,))).solved


def test_a_solved_task_may_still_be_cited_wrongly(task: Task) -> None:
    verdict = judge(task, Reply("Oat milk, of course.", (OATS,)))
    assert (verdict.solved, verdict.cited) == (True, False)
    assert verdict.faults == ("the citation is not right",)


def test_without_a_memory_there_is_nothing_to_cite(task: Task) -> None:
    assert judge(task, Reply("I do not know.")).cited is None


def test_a_memory_that_was_never_there_is_invented(task: Task) -> None:
    verdict = judge(task, Reply("You told me that you take oat milk."))
    assert (verdict.invented, verdict.cited) == (True, False)
