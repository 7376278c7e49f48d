from __future__ import annotations

from pathlib import Path

from rich.progress import Progress

from eval.system import System
from eval.tuning.gathering import Gathering
from eval.tuning.judging import Judging, shipped
from eval.tuning.setting import standing
from eval.tuning.sources import read_sources
from eval.tuning.sweep import try_all


async def test_a_cut_off_is_tried_without_asking_again(
    system: System, progress: Progress, tiny_golden: Path
) -> None:
    sources = read_sources([tiny_golden])
    gathered = await Gathering(system).golden(sources.golden, progress)
    default = standing(system.settings)
    tried = [default, default.but(min_score=0.0), default.but(min_score=1.0)]
    trials = await try_all(gathered, tried, Judging(shipped(system.model.name)), progress)
    shipped_, uncut, silent = (trials.figures(place) for place in range(3))
    assert shipped_["recall_at_5"] == uncut["recall_at_5"] == 1.0
    assert (uncut["returned"] or 0) > (shipped_["returned"] or 0) > (silent["returned"] or 0) == 0
    assert (silent["recall_at_5"], silent["no_answer_accuracy"]) == (0.0, 1.0)
