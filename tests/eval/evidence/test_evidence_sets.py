from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.progress import Progress

from eval.datasets.evidence import BeamDataset, LocomoDataset
from eval.system import System
from memory.store.conversations import DatabaseConversations


async def test_locomo_tells_turns_and_observations_both_ways(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    report = await LocomoDataset(tiny_locomo).run(system, progress)
    metrics = report.metrics
    assert metrics["turns.recall_at_5"] == metrics["turns"]["recall_at_5"] == 1.0
    assert metrics["turns.recall_at_5_low"] == metrics["turns.recall_at_5_high"] == 1.0
    assert metrics["turns.cases"] == 4
    assert report.by_category["adversarial"]["turns.cases"] == 2
    assert report.passed


async def test_turns_are_messages_of_one_conversation_and_observations_memories(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    await LocomoDataset(tiny_locomo).run(system, progress)
    conversations = DatabaseConversations(system.database)
    [chat] = await conversations.list_conversations("eval:turns:c1")
    messages = await conversations.read_recent("eval:turns:c1", chat.id, 9)
    assert [message.role for message in messages] == ["user", "assistant"]
    assert await system.items.count("eval:turns:c1") == 0
    assert await conversations.list_conversations("eval:observations:c1") == []
    assert await system.items.count("eval:observations:c1") == 1


async def test_evidence_in_no_observation_counts_in_the_stricter_figure_only(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    metrics = (await LocomoDataset(tiny_locomo).run(system, progress)).metrics
    assert metrics["observations.recall_at_5"] == 1.0
    assert metrics["observations.recall_at_5_all_evidence"] == 0.5
    assert metrics["turns.recall_at_5_all_evidence"] == 1.0


async def test_each_conversation_is_judged_by_the_others(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    metrics = (await LocomoDataset(tiny_locomo).run(system, progress)).metrics
    assert metrics["turns.loco_recall_at_5"] == 1.0
    assert metrics["observations.loco_recall_at_5"] == 1.0


async def test_one_conversation_alone_has_no_others(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    for path in tiny_locomo.glob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join(line for line in lines if '"c1"' in line), encoding="utf-8")
    report = await LocomoDataset(tiny_locomo).run(system, progress)
    assert report.metrics["turns.recall_at_5"] == 1.0
    assert report.metrics["turns.loco_recall_at_5"] is None


@pytest.mark.parametrize(("cut_off", "accuracy"), [(0.0, 0.0), (1.0, 1.0)])
async def test_beam_reports_abstention_apart(
    system: System, tiny_beam: Path, progress: Progress, cut_off: float, accuracy: float
) -> None:
    settings = system.settings.model_copy(update={"min_relevance": cut_off})
    report = await BeamDataset(tiny_beam).run(replace(system, settings=settings), progress)
    assert report.metrics["cases"] == 2
    assert report.metrics["recall_at_5"] == report.metrics["loco_recall_at_5"] == 1.0
    assert report.metrics["no_answer_accuracy"] == accuracy
    assert report.metrics["loco_no_answer_accuracy"] == accuracy
    # The ranking itself is whole: the cut-off is applied to it afterwards.
    abstained = next(case for case in report.cases if case.category == "abstention")
    assert abstained.returned
