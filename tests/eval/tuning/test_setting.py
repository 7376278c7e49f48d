from __future__ import annotations

import pytest

from eval.tuning.grid import (
    CURVES,
    GRID,
    RecallSetting,
    all_settings,
    current_setting,
    parameter_curve,
    weight_grid,
)
from memory.config import Settings

DEFAULT = RecallSetting()


def test_the_default_is_what_ships(settings: Settings) -> None:
    told = current_setting(settings)
    assert (told.min_score, told.limit) == (settings.min_relevance, settings.max_results)
    assert told.policy().diversity == pytest.approx(1 - settings.mmr_lambda)
    stricter = current_setting(
        settings.model_copy(update={"min_relevance": 0.7, "recency_weight": 0.5})
    )
    assert (stricter.min_score, stricter.ranking.beta) == (0.7, 0.5)


def test_a_parameter_is_changed_wherever_it_lies() -> None:
    changed = DEFAULT.but(beta=0.4, limit=3)
    assert (changed.ranking.beta, changed.limit) == (0.4, 3)
    assert changed.ranking.alpha == DEFAULT.ranking.alpha
    assert DEFAULT.but() == DEFAULT


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_varies_one_parameter_and_passes_the_default(name: str) -> None:
    curve = parameter_curve(DEFAULT.but(min_score=0.33), name)
    values = [setting.value(name) for setting in curve]
    assert values == sorted(set(values))
    assert DEFAULT.value(name) in values or name == "min_score"
    others = {tuple(v for n, v in s.parameters().items() if n != name) for s in curve}
    assert len(others) == 1


def test_recency_has_a_weight_where_its_days_are_varied() -> None:
    assert all(setting.ranking.beta > 0 for setting in parameter_curve(DEFAULT, "recency_days"))
    weighed = DEFAULT.but(beta=0.7)
    assert {setting.ranking.beta for setting in parameter_curve(weighed, "recency_days")} == {0.7}


def test_the_grid_varies_days_only_where_recency_counts() -> None:
    tried = list(weight_grid(DEFAULT))
    betas, gammas, days = GRID.values()
    assert len(tried) == len(gammas) * (1 + (len(betas) - 1) * len(days))


def test_every_setting_is_tried_once_and_the_default_first() -> None:
    tried = all_settings(DEFAULT)
    assert tried[0] == DEFAULT
    assert len(set(tried)) == len(tried)
    assert {setting for name in CURVES for setting in parameter_curve(DEFAULT, name)} <= set(tried)
