from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from eval.tuning.comparing import NOT_MEASURED, Estimate
from eval.tuning.figures import FIGURES
from eval.tuning.outcome import draw_all, print_best, told, within
from eval.tuning.setting import CURVES, Setting, all_settings
from eval.tuning.trials import Trials

DEFAULT = Setting()
PNG = b"\x89PNG\r\n"


@pytest.fixture
def trials() -> Trials[Setting]:
    tried = all_settings(DEFAULT)
    reached = np.array([1 - abs(setting.min_score - 0.4) for setting in tried])
    columns = {name: np.tile(reached, (12, 1)) for name in FIGURES}
    columns["no_answer_accuracy"][:] = np.nan
    return Trials("golden", tried, columns)


def test_a_setting_is_told_by_what_it_has_that_the_default_has_not() -> None:
    assert told(DEFAULT, DEFAULT) == "the default"
    assert told(DEFAULT.but(beta=0.2, limit=3), DEFAULT) == "beta 0.2, limit 3"


def test_the_default_and_the_best_are_printed(trials: Trials[Setting]) -> None:
    out = io.StringIO()
    print_best(Console(file=out, width=140), trials)
    lines = out.getvalue()
    assert lines.index("the default") < lines.index("min_score 0.4")
    assert "+0.100" in lines
    assert "no_answer" not in lines


def test_every_parameter_is_drawn(trials: Trials[Setting]) -> None:
    drawn = draw_all([trials, trials], DEFAULT)
    assert list(drawn) == list(CURVES)
    assert all(png.startswith(PNG) for png in drawn.values())


def test_a_figure_stands_over_its_interval() -> None:
    assert within(Estimate(0.5, 0.25, 0.75)) == "0.500\n[0.250, 0.750]"
    assert within(Estimate(0.5, 0.25, 0.75), sign="+") == "+0.500\n[+0.250, +0.750]"
    assert within(NOT_MEASURED) == "–"
