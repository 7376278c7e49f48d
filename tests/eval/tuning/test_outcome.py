from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from eval.statistics import NOT_MEASURED, Estimate
from eval.tuning.grid import CURVES, RecallSetting, all_settings
from eval.tuning.sweep import (
    describe_difference,
    draw_parameter_curves,
    format_interval,
    print_best_settings,
)
from eval.tuning.trials import METRIC_NAMES, Trials

DEFAULT = RecallSetting()
PNG = b"\x89PNG\r\n"


@pytest.fixture
def trials() -> Trials[RecallSetting]:
    tried = all_settings(DEFAULT)
    reached = np.array([1 - abs(setting.min_score - 0.4) for setting in tried])
    columns = {name: np.tile(reached, (12, 1)) for name in METRIC_NAMES}
    columns["no_answer_accuracy"][:] = np.nan
    return Trials("golden", tried, columns)


def test_a_setting_is_told_by_what_it_has_that_the_default_has_not() -> None:
    assert describe_difference(DEFAULT, DEFAULT) == "the default"
    assert describe_difference(DEFAULT.but(beta=0.2, limit=3), DEFAULT) == "beta 0.2, limit 3"


def test_the_default_and_the_best_are_printed(trials: Trials[RecallSetting]) -> None:
    out = io.StringIO()
    print_best_settings(Console(file=out, width=140), trials)
    lines = out.getvalue()
    assert lines.index("the default") < lines.index("min_score 0.4")
    assert "+0.100" in lines
    assert "no_answer" not in lines


def test_every_parameter_is_drawn(trials: Trials[RecallSetting]) -> None:
    drawn = draw_parameter_curves([trials, trials], DEFAULT)
    assert list(drawn) == list(CURVES)
    assert all(png.startswith(PNG) for png in drawn.values())


def test_a_figure_stands_over_its_interval() -> None:
    assert format_interval(Estimate(0.5, 0.25, 0.75)) == "0.500\n[0.250, 0.750]"
    assert format_interval(Estimate(0.5, 0.25, 0.75), sign="+") == "+0.500\n[+0.250, +0.750]"
    assert format_interval(NOT_MEASURED) == "–"
