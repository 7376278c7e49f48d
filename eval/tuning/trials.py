"""Every setting judged on every question, in memory, and logged in MLflow as a run of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np

from eval.metrics import precision_at, recall_at, reciprocal_rank
from eval.results import CaseResult
from eval.statistics import Array, Estimate, Resampling
from eval.tracking import find_experiment, open_client, read_commit
from eval.tuning.recorder import RecordedQuestion

CUT = 5
METRIC_NAMES = (
    "recall_at_5",
    "precision",
    "no_answer_accuracy",
    "f1",
    "mrr",
    "returned",
    "uncut_recall_at_5",
)
"""All are of what the cut-off leaves, but for `uncut_recall_at_5`. `precision` is of all that is
returned to a question that has an answer, as 001 takes it; `returned` is how many memories a
question brings, right or wrong: brevity."""

QuestionMetrics: TypeAlias = dict[str, float | None]


def question_metrics(result: CaseResult, uncut: CaseResult | None = None) -> QuestionMetrics:
    """The figures of one question, answered with the cut-off and, where it was, without; None where
    a figure is not taken of it."""
    covered, wanted = result.covered, result.wanted
    return {
        "recall_at_5": recall_at(CUT, covered, wanted),
        "precision": precision_at(len(covered), covered) if wanted else None,
        "no_answer_accuracy": None if wanted else float(not covered),
        "f1": f1(covered, wanted),
        "mrr": reciprocal_rank(covered, wanted),
        "returned": float(len(covered)),
        "uncut_recall_at_5": None if uncut is None else recall_at(CUT, uncut.covered, wanted),
    }


def f1(covered: Sequence[frozenset[str]], wanted: frozenset[str]) -> float:
    """2PR / (P + R) of all that is returned; where nothing answers, 1 for returning nothing and 0
    otherwise (SQuAD 2.0, Rajpurkar et al. 2018), so that one figure weighs finding and silence."""
    if not wanted:
        return float(not covered)
    precision = precision_at(len(covered), covered) or 0.0
    recall = recall_at(len(covered), covered, wanted) or 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def metric_columns(results: Sequence[QuestionMetrics]) -> dict[str, Array]:
    """Each figure as an array over the questions, NaN where it is not taken."""
    return {
        name: np.array([_number(each[name]) for each in results], dtype=float)
        for name in METRIC_NAMES
    }


def metric_means(columns: Mapping[str, Array]) -> dict[str, float | None]:
    """The mean of each figure over the questions that it is taken of."""
    return {
        name: float(np.nanmean(column)) if np.isfinite(column).any() else None
        for name, column in columns.items()
    }


def _number(value: float | None) -> float:
    return np.nan if value is None else value


Tried = TypeVar("Tried")
OBJECTIVE, ORDER = "f1", "mrr"
# What the answer of a recall so tried would be worth.
JudgeQuestion: TypeAlias = Callable[[RecordedQuestion, Tried], QuestionMetrics]


@dataclass(frozen=True)
class Trials(Generic[Tried]):
    """One set of questions under several settings, the first of which is the default. `columns`
    has each figure by question and setting, NaN where it is not taken."""

    group: str
    tried: Sequence[Tried]
    columns: Mapping[str, Array]

    @property
    def questions(self) -> int:
        return len(self.columns[OBJECTIVE])

    def figures(self, place: int) -> dict[str, float | None]:
        """The means under one setting."""
        return metric_means({name: column[:, place] for name, column in self.columns.items()})

    def estimates(self, place: int) -> dict[str, Estimate]:
        """The means under one setting, with their intervals."""
        drawn = Resampling.of(self.questions)
        return {name: drawn.estimate(column[:, place]) for name, column in self.columns.items()}

    def differences(self, place: int, base: int = 0) -> dict[str, Estimate]:
        """To the default, or to another setting, over the same questions."""
        drawn = Resampling.of(self.questions)
        return {
            name: drawn.difference(column[:, place], column[:, base])
            for name, column in self.columns.items()
        }

    def beyond_chance(self, figure: str) -> list[bool]:
        """Which settings differ from the default by more than the luckiest of as many would."""
        column = self.columns[figure]
        return Resampling.of(self.questions).beyond_chance(column, column[:, 0])

    def best(self, most: int) -> list[int]:
        """The places of the settings with the highest objective, the better order first among
        equals; of those that answer every question equally well only the first, the default before
        all."""
        first = {self._answers(place): place for place in reversed(range(len(self.tried)))}
        reached = {place: self.figures(place) for place in first.values()}
        ordered = sorted(
            reached,
            key=lambda place: tuple(-(reached[place][name] or 0.0) for name in (OBJECTIVE, ORDER)),
        )
        return ordered[:most]

    def _answers(self, place: int) -> bytes:
        return b"".join(column[:, place].tobytes() for column in self.columns.values())


def run_trials(
    asked: Sequence[RecordedQuestion],
    tried: Sequence[Tried],
    judge: JudgeQuestion[Tried],
    advance: Callable[[], None],
) -> Trials[Tried]:
    """Of the questions of one group, at least one; `advance` is called after each setting."""
    return Trials(asked[0].group, tried, _columns(asked, tried, judge, advance))


def _columns(
    asked: Sequence[RecordedQuestion],
    tried: Sequence[Tried],
    judge: JudgeQuestion[Tried],
    advance: Callable[[], None],
) -> dict[str, Array]:
    tables = []
    for each in tried:
        tables.append(metric_columns([judge(question, each) for question in asked]))
        advance()
    return {name: np.column_stack([one[name] for one in tables]) for name in METRIC_NAMES}


if TYPE_CHECKING:
    from mlflow import MlflowClient

PARENT_TAG = "mlflow.parentRunId"
LOG_TIMEOUT = 300.0
LoggedTrial = TypeVar("LoggedTrial")


async def log_trials(
    name: str,
    trials: Sequence[Trials[LoggedTrial]],
    describe: Callable[[LoggedTrial], Mapping[str, Any]],
    *,
    files: Sequence[Path],
    tracking_uri: str,
    home: Path,
) -> str:
    """Writes them all and returns the id of the parent run, which has the files and the default's
    figures. Raises what MLflow does."""
    commit = await read_commit()
    tags = {"mlflow.source.git.commit": commit} if commit else {}
    async with asyncio.timeout(LOG_TIMEOUT):
        return await asyncio.to_thread(
            _write_runs, name, trials, describe, files, tracking_uri, home, tags
        )


def _write_runs(  # noqa: PLR0917 - a thread is given them in their order
    name: str,
    trials: Sequence[Trials[LoggedTrial]],
    describe: Callable[[LoggedTrial], Mapping[str, Any]],
    files: Sequence[Path],
    tracking_uri: str,
    home: Path,
    tags: dict[str, str],
) -> str:
    client = open_client(tracking_uri)
    experiment = find_experiment(client, tracking_uri, home)
    parent = str(client.create_run(experiment, tags=tags, run_name=name).info.run_id)
    client.log_batch(parent, metrics=_as_mlflow_metrics(_default_metrics(trials)))
    for place, (told, figures) in enumerate(_merged(trials, describe)):
        child = client.create_run(
            experiment, tags=tags | {PARENT_TAG: parent}, run_name=f"{name} {place}"
        )
        _write_child_run(client, str(child.info.run_id), told, figures)
    for path in files:
        client.log_artifact(parent, str(path))
    client.set_terminated(parent)
    return parent


def _default_metrics(trials: Sequence[Trials[LoggedTrial]]) -> dict[str, float | None]:
    """The default's figures of every set."""
    return {name: value for each in trials for name, value in _metrics_of(each, 0).items()}


def _merged(
    trials: Sequence[Trials[LoggedTrial]], describe: Callable[[LoggedTrial], Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], dict[str, float | None]]]:
    """What was tried, each once, with its figures of every set that it was tried on."""
    merged: dict[str, tuple[Mapping[str, Any], dict[str, float | None]]] = {}
    for each in trials:
        for place, tried in enumerate(each.tried):
            told = describe(tried)
            _, figures = merged.setdefault(str(told), (told, {}))
            figures |= _metrics_of(each, place)
    return list(merged.values())


def _metrics_of(trials: Trials[LoggedTrial], place: int) -> dict[str, float | None]:
    """Each by a name that MLflow takes."""
    group = trials.group.replace(" ", "_")
    return {f"{group}.{name}": value for name, value in trials.figures(place).items()}


def _write_child_run(
    client: MlflowClient, run: str, params: Mapping[str, Any], figures: Mapping[str, float | None]
) -> None:
    from mlflow.entities import Param  # noqa: PLC0415 - it takes seconds to import

    told = [Param(key, str(value)) for key, value in params.items()]
    client.log_batch(run, metrics=_as_mlflow_metrics(figures), params=told)
    client.set_terminated(run)


def _as_mlflow_metrics(figures: Mapping[str, float | None]) -> list[Any]:
    from mlflow.entities import Metric  # noqa: PLC0415

    now = int(time.time() * 1000)
    return [Metric(name, value, now, 0) for name, value in figures.items() if value is not None]
