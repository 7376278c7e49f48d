from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from memory.config import Settings
from memory.factory import make_ranking
from memory.retrieval.ranking import PRESETS, RecencyCurve, UsageRule


def settings_of(settings: Settings, **fields: Any) -> Settings:
    return settings.model_copy(update=fields)


def names_of(field: str) -> set[str]:
    """The words that a setting may have."""
    return {
        name
        for each in (Settings.model_fields[field].annotation, *get_args(annotation_of(field)))
        for name in get_args(each)
        if isinstance(name, str)
    }


def annotation_of(field: str) -> Any:
    return Settings.model_fields[field].annotation


def test_the_settings_know_the_same_presets_and_rules() -> None:
    assert names_of("ranking_preset") == set(PRESETS)
    assert names_of("usage_rule") == set(get_args(UsageRule))


def test_a_preset_alone_is_the_preset(settings: Settings) -> None:
    assert [
        name
        for name, preset in PRESETS.items()
        if make_ranking(settings_of(settings, ranking_preset=name)) != preset
    ] == []


def test_the_default_is_relevance_alone(settings: Settings) -> None:
    assert make_ranking(settings) == PRESETS["relevance"]


NAMED: list[tuple[str, Any, str]] = [
    ("relevance_weight", 0.5, "alpha"),
    ("recency_weight", 0.0, "beta"),
    ("importance_weight", 0.0, "gamma"),
    ("recency_days", 30.0, "recency_days"),
    ("usage_rule", "off", "usage"),
    ("usage_rule", "boost", "usage"),
]


def test_what_is_named_takes_the_place_of_the_presets(settings: Settings) -> None:
    for (name, preset), (field, value, part) in product(PRESETS.items(), NAMED):
        ranking = make_ranking(settings_of(settings, ranking_preset=name, **{field: value}))
        assert ranking == preset.model_copy(update={part: value}), (name, field)


def test_every_curve_can_be_had_by_a_preset() -> None:
    assert {each.recency for each in PRESETS.values()} <= set(get_args(RecencyCurve))


@pytest.mark.parametrize(
    "fields", [{"relevance_weight": 0}, {"recency_weight": -1}, {"importance_weight": 11}]
)
def test_weights_out_of_range_are_refused_by_the_settings(fields: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Settings(**fields)  # type: ignore[arg-type]
