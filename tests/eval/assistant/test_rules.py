from __future__ import annotations

from typing import Any

import pytest

from eval.datasets.assistant_rules import AssistantReply, MemoryTask, judge_reply

OATS = "I drink my coffee with oat milk"
CITED = f"Based on what you told me: “{OATS}”"


@pytest.fixture
def task(milk: dict[str, Any]) -> MemoryTask:
    return MemoryTask.model_validate(milk)


def test_a_reply_with_every_fact_and_its_source_is_right(task: MemoryTask) -> None:
    verdict = judge_reply(task, AssistantReply(CITED, (OATS,)))
    assert (verdict.solved, verdict.cited, verdict.invented) == (True, True, False)
    assert verdict.faults == ()


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (AssistantReply("Whole milk."), "lacks oat milk (not kept)"),
        (AssistantReply("Whole milk.", (), (OATS,)), "lacks oat milk (kept and not recalled)"),
        (AssistantReply("Whole milk.", (OATS,)), "lacks oat milk (recalled and not said)"),
        (AssistantReply(f"{CITED} Your sister plays the harp.", (OATS,)), "has harp"),
        (AssistantReply(CITED, (OATS,), failed="failed: ReplyFailed"), "failed: ReplyFailed"),
    ],
)
def test_what_is_wrong_is_told(task: MemoryTask, reply: AssistantReply, fault: str) -> None:
    verdict = judge_reply(task, reply)
    assert not verdict.solved
    assert fault in verdict.faults


def test_another_wording_will_do(task: MemoryTask) -> None:
    assert judge_reply(task, AssistantReply("You told me: oats in your coffee.", (OATS,))).solved


def test_a_solved_task_may_still_be_cited_wrongly(task: MemoryTask) -> None:
    verdict = judge_reply(task, AssistantReply("Oat milk, of course.", (OATS,)))
    assert (verdict.solved, verdict.cited) == (True, False)
    assert verdict.faults == ("the citation is not right",)


def test_without_a_memory_there_is_nothing_to_cite(task: MemoryTask) -> None:
    assert judge_reply(task, AssistantReply("I do not know.")).cited is None


def test_a_memory_that_was_never_there_is_invented(task: MemoryTask) -> None:
    verdict = judge_reply(task, AssistantReply("You told me that you take oat milk."))
    assert (verdict.invented, verdict.cited) == (True, False)
