from __future__ import annotations

import pytest
from pydantic import ValidationError

from memory.config import Settings
from memory.config.retention_rules import RetentionRule, parse_retention_rules
from tests.tables import refusal


def test_rules_are_read() -> None:
    assert parse_retention_rules("note:90, Work/fact:365,Health/*:30") == (
        RetentionRule(None, "note", 90),
        RetentionRule("Work", "fact", 365),
        RetentionRule("Health", None, 30),
    )


NO_RULES = ["note", "note:0", "note:99999", "idea:9", "note:x", "/note:9"]


def test_what_is_no_rule_is_refused() -> None:
    read = [(text, refusal(ValueError, parse_retention_rules, text)) for text in NO_RULES]
    rules = [{"retention_rules": text} for text in NO_RULES]
    loaded = [(each, refusal(ValidationError, Settings.model_validate, each)) for each in rules]
    assert [each for each in [*read, *loaded] if "is no" not in str(each[1])] == []


def test_a_rule_for_a_bank_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValidationError, match="names Wrok, which MEMORY_BANKS does not") as raised:
        Settings.model_validate({"retention_rules": "note:90,Wrok/fact:365,Work/*:30"})
    assert "Personal, Work" in str(raised.value)
    own = {"memory_banks": "Wrok,General", "retention_rules": "Wrok/fact:365"}
    assert Settings.model_validate(own).retention_rules == "Wrok/fact:365"


@pytest.mark.parametrize("cron", ["0 3 * *", "daily", "a b c d e", "0 3 * * * *"])
def test_what_is_no_cron_line_is_refused(cron: str) -> None:
    with pytest.raises(ValidationError, match="five fields"):
        Settings.model_validate({"prune_schedule": cron})


@pytest.mark.parametrize("cron", ["99 3 * * *", "*/0 * * * *", "0 3 31 2 *", "0 3 * * 8"])
def test_a_schedule_that_never_comes_is_refused(cron: str) -> None:
    """The worker could not begin with it."""
    with pytest.raises(ValidationError, match="no moment that ever comes"):
        Settings.model_validate({"prune_schedule": cron})


def test_a_schedule_can_be_never() -> None:
    assert Settings.model_validate({"prune_schedule": "never"}).prune_schedule == "never"


def test_the_sizes_of_a_roll_up_are_in_order() -> None:
    with pytest.raises(ValidationError, match="ROLL_UP_MIN_SIZE"):
        Settings.model_validate({"roll_up_min_size": 9, "roll_up_max_size": 8})
