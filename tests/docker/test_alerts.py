"""Each alert fires on what it is for and on nothing else, on the series that promtool reads too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from tests.docker.firing import FOLDER, firing, read_rules, read_series, seconds

RULES = read_rules()
SCENES: list[Mapping[str, Any]] = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]


def test_an_alert_fires_on_what_it_is_for() -> None:
    told = {each["name"]: tell(each) for each in SCENES}
    assert len(told) == len(SCENES)
    assert told == {each["name"]: each["alert_rule_test"][0]["exp_alerts"] for each in SCENES}


def tell(scene: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What fires in the scene, as promtool writes it."""
    interval = seconds(scene["interval"])
    series = read_series(scene["input_series"], interval)
    [asked] = scene["alert_rule_test"]
    rule = RULES[asked["alertname"]]
    fired = firing(rule, series, seconds(asked["eval_time"]), interval)
    return [
        {"exp_labels": {**dict(labels), **rule.labels}, "exp_annotations": rule.annotations}
        for labels in fired
    ]


def test_every_alert_is_seen_to_fire_and_to_be_silent() -> None:
    seen = {
        (asked["alertname"], bool(asked["exp_alerts"]))
        for scene in SCENES
        for asked in scene["alert_rule_test"]
    }
    assert seen == {(name, fires) for name in RULES for fires in (True, False)}
