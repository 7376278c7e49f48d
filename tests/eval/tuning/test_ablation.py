from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.progress import Progress

from eval.calibration.data import load_calibration_pairs
from eval.system import System
from eval.tuning.ablation import VIEWS, collect_parts, judge_parts
from eval.tuning.recorder import SearchRecorder
from eval.tuning.sources import read_sources


async def test_every_part_is_judged_on_the_same_questions(
    system: System, progress: Progress, tiny_golden: Path
) -> None:
    sources = replace(read_sources([tiny_golden]), pairs=load_calibration_pairs()[:2])
    gathered = await SearchRecorder(system, VIEWS).golden(sources.golden, progress)
    learned = await collect_parts(system, sources, progress)
    trials = await judge_parts(system, gathered, learned, progress)
    assert (trials.group, trials.questions) == ("golden", 3)
    places = {part.name: place for place, part in enumerate(trials.tried)}
    assert trials.figures(0)["recall_at_5"] == 1.0
    without_vectors = trials.differences(places["without the vector leg"])["recall_at_5"]
    assert without_vectors.value is not None
    assert without_vectors.value <= 0
    assert trials.differences(places["with usage"])["f1"].value == 0.0
