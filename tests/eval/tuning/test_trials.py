from __future__ import annotations

from datetime import UTC, datetime

import pytest

from eval.results import CaseResult, Returned
from eval.tuning.recorder import RecordedQuestion
from eval.tuning.trials import QuestionMetrics, Trials, question_metrics, run_trials

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WANTED = frozenset("a")


def _asked(group: str, name: str) -> RecordedQuestion:
    return RecordedQuestion(
        group=group,
        fold="f",
        id=name,
        category="c",
        query="?",
        now=NOW,
        wanted=WANTED,
        covers={},
    )


ASKED = [_asked("one", str(number)) for number in range(6)]


def _judge(asked: RecordedQuestion, noise: int) -> QuestionMetrics:
    """The right one, behind as much noise."""
    returned = [Returned(str(at), "", 0.9, frozenset[str]()) for at in range(noise)]
    right = Returned("right", "", 0.9, WANTED)
    return question_metrics(
        CaseResult(asked.id, asked.category, "?", asked.wanted, (*returned, right), 0.0)
    )


def _trials() -> tuple[Trials[int], int]:
    steps: list[None] = []
    return run_trials(ASKED, [2, 0, 5, 0], _judge, lambda: steps.append(None)), len(steps)


def test_every_setting_is_judged_on_every_question() -> None:
    told, steps = _trials()
    assert (told.group, told.questions, steps) == ("one", 6, 4)
    assert told.figures(0)["precision"] == pytest.approx(1 / 3)
    assert told.figures(2)["recall_at_5"] == 0.0


def test_the_best_come_first_and_equal_answers_once() -> None:
    told = _trials()[0]
    assert told.best(9) == [1, 0, 2]
    assert told.best(1) == [1]


def test_differences_are_to_the_default_or_to_another() -> None:
    told = _trials()[0]
    better = told.differences(1)["precision"]
    assert better.value == pytest.approx(2 / 3)
    assert better.excludes_zero
    assert told.differences(3, base=1)["precision"].value == 0.0
    assert told.beyond_chance("precision")[1:] == [True, True, True]
    assert told.estimates(1)["no_answer_accuracy"].value is None
