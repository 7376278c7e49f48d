from __future__ import annotations

from pathlib import Path

from rich.progress import Progress

from eval.system import System
from eval.tuning.grid import current_setting
from eval.tuning.recorder import SearchRecorder
from eval.tuning.replay import RecallReplay, shipped_calibrations
from eval.tuning.sources import read_sources
from eval.tuning.sweep import judge_settings


async def test_a_cut_off_is_tried_without_asking_again(
    system: System, progress: Progress, tiny_golden: Path
) -> None:
    sources = read_sources([tiny_golden])
    gathered = await SearchRecorder(system).golden(sources.golden, progress)
    default = current_setting(system.settings)
    tried = [default, default.but(min_score=0.0), default.but(min_score=1.0)]
    trials = await judge_settings(
        gathered, tried, RecallReplay(shipped_calibrations(system.model.name)), progress
    )
    shipped_, uncut, silent = (trials.figures(place) for place in range(3))
    assert shipped_["recall_at_5"] == uncut["recall_at_5"] == 1.0
    assert (uncut["returned"] or 0) > (shipped_["returned"] or 0) > (silent["returned"] or 0) == 0
    assert (silent["recall_at_5"], silent["no_answer_accuracy"]) == (0.0, 1.0)
