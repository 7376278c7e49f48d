from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from eval.datasets.golden import GOLDEN_NOW, GoldenSet
from eval.errors import NothingToTune
from eval.system import System
from eval.tuning.ablation import VIEWS
from eval.tuning.grid import current_setting
from eval.tuning.recorder import (
    RecordedMemoryQuestion,
    RecordedMessageQuestion,
    SearchRecorder,
    without_held_back,
)
from eval.tuning.replay import RecallReplay, shipped_calibrations
from eval.tuning.sources import read_sources
from memory.types import MemoryQueryRequest
from tests.eval.conftest import NEW_TOWN, TINY, UV


def _golden(*held_back: str) -> GoldenSet:
    cases: list[dict[str, Any]] = TINY["cases"]
    told = [case | {"held_back": case["id"] in held_back} for case in cases]
    return GoldenSet.model_validate(TINY | {"cases": told})


def test_what_is_held_back_is_never_asked() -> None:
    assert [case.id for case in without_held_back(_golden("uv", "lock")).cases] == ["town"]
    with pytest.raises(NothingToTune):
        without_held_back(_golden("uv", "town", "lock"))


async def test_what_is_judged_in_memory_is_what_the_product_answers(
    system: System, progress: Progress
) -> None:
    gathered = await SearchRecorder(system).golden(_golden("lock"), progress)
    default, judging = (
        current_setting(system.settings),
        RecallReplay(shipped_calibrations(system.model.name)),
    )
    told = [judging.answer(each, default.policy(), default.limit) for each in gathered]
    assert [case.id for case in told] == ["uv", "town"]
    assert [case.returned[0].content for case in told] == [UV, NEW_TOWN]
    for case, judged in zip(gathered, told, strict=True):
        request = MemoryQueryRequest(
            user_id=case.fold,
            query=case.query,
            limit=system.settings.max_results,
            min_score=system.settings.min_relevance,
        )
        answered = (await system.memory.recall(request, now=GOLDEN_NOW)).items
        assert [item.item_id for item in judged.returned] == [item.id for item in answered]
        assert [item.relevance for item in judged.returned] == pytest.approx(
            [item.relevance_score for item in answered]
        )


async def test_each_view_lacks_what_it_is_named_for(system: System, progress: Progress) -> None:
    gathered = await SearchRecorder(system, VIEWS).golden(_golden("lock"), progress)
    [town] = [each for each in gathered if each.id == "town"]
    assert isinstance(town, RecordedMemoryQuestion)
    assert town.now == GOLDEN_NOW
    words, meaning = town.views["keyword"], town.views["vector"]
    assert all(why.cosine is None for _, why in words.weighed)
    assert all(why.bm25 is None for _, why in meaning.weighed)
    assert [len(ids) > 0 for ids in words.rankings] == [True, False]
    assert [len(ids) > 0 for ids in meaning.rankings] == [False, True]
    assert town.views["untimed"].timing.asked is None
    one, other = [row.id for row, _ in town.views["whole"].weighed][:2]
    assert town.cosines[one, one] == pytest.approx(1.0, abs=1e-5)
    assert town.cosines[one, other] == pytest.approx(town.cosines[other, one])


async def test_conversations_are_gathered_as_messages(
    system: System, progress: Progress, tiny_locomo: Path
) -> None:
    sources = read_sources([tiny_locomo])
    turns = sources.messages["locomo turns"]
    gathered = await SearchRecorder(system, VIEWS).messages("locomo turns", turns, progress)
    assert all(isinstance(each, RecordedMessageQuestion) for each in gathered)
    judging = RecallReplay(shipped_calibrations(system.model.name))
    policy = current_setting(system.settings).but(min_score=0.0).policy()
    kitten = judging.answer(gathered[0], policy, 1)
    assert kitten.returned[0].covers == kitten.wanted == frozenset({"D1:1"})
    assert sorted(label for label, _ in judging.judgements(gathered[0])) == [False, True]
    assert (
        judging.answer(
            gathered[0], current_setting(system.settings).but(min_score=1.0).policy(), 1
        ).returned
        == ()
    )


async def test_sets_are_gathered_one_after_the_other(
    system: System, progress: Progress, tiny_beam: Path
) -> None:
    sources = replace(read_sources([tiny_beam]), golden=_golden("lock"))
    groups = [each async for each in SearchRecorder(system).groups(sources, progress)]
    assert [{question.group for question in group} for group in groups] == [{"golden"}, {"beam"}]
