"""`python -m eval ablation`: what each part of the recall is worth, taken away one at a time by a
refit, by a policy, or with a leg."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from eval.calibration.candidates import (
    LabelledCandidate,
    LabelledQuestion,
    MemoryCandidateCollector,
    MessageCandidateCollector,
    TrainingData,
)
from eval.calibration.fit import fit_weights
from eval.plots import METRIC_LABELS
from eval.report import format_value
from eval.statistics import Estimate
from eval.system import System, open_system
from eval.tuning.grid import LEAST_WEIGHT, RecallSetting, current_setting
from eval.tuning.recorder import (
    WHOLE,
    RecordedMessageQuestion,
    RecordedQuestion,
    SearchRecorder,
    View,
)
from eval.tuning.replay import Calibrations, RecallReplay, shipped_calibrations
from eval.tuning.sources import TuningSources
from eval.tuning.sweep import format_interval
from eval.tuning.trials import QuestionMetrics, Trials, log_trials, question_metrics, run_trials
from memory.config import Settings
from memory.retrieval.message_relevance import MessageCalibration
from memory.retrieval.ranking import Ranking
from memory.retrieval.relevance import Coefficients
from memory.retrieval.selection import SelectionPolicy

VIEWS: tuple[View, ...] = ("whole", "keyword", "vector", "untimed")
# 1 - λ of MMR where it is off by default.
SPREAD = 0.3
REFITTED = 1

FeatureGroups: TypeAlias = Mapping[str, tuple[str, ...]]
FEATURES: FeatureGroups = {
    "the gaps to the best": ("cosine_gap", "bm25_gap", "coverage_gap"),
    "coverage": ("coverage", "coverage_gap"),
    "BM25": ("bm25", "bm25_gap"),
    "cosine": ("cosine", "cosine_squared", "cosine_gap"),
    "cosine squared": ("cosine_squared",),
    "speaks of oneself": ("personal",),
    "asks for a number": ("number_missing",),
    "share of the names": ("name_share",),
    "size of the pool": ("log_pool",),
    "length of the question": ("log_words",),
}
"""The features of the relevance model by what they stand for."""
MESSAGE_FEATURES: FeatureGroups = {
    "the gaps to the best": ("cosine_gap", "bm25_gap", "coverage_gap"),
    "coverage": ("coverage", "coverage_gap"),
    "BM25": ("bm25", "bm25_gap"),
    "cosine": ("cosine", "cosine_gap"),
    "the message before": ("before_cosine", "before_bm25"),
    "the message after": ("after_cosine", "after_bm25"),
    "answers to questions": ("answers_cosine", "answers_bm25"),
    "who said it": ("by_user", "speaker_fits"),
    "asks for a number": ("number_missing",),
    "length": ("log_length",),
}


@dataclass(frozen=True)
class AblationPart:
    """The recall with one part changed. `against` is the place that it is compared with."""

    name: str
    policy: SelectionPolicy
    calibrations: Calibrations
    view: View = WHOLE
    against: int = 0

    @property
    def replay_key(self) -> tuple[Calibrations, View]:
        return self.calibrations, self.view


def memory_parts(
    default: RecallSetting, shipped: Calibrations, training: TrainingData
) -> list[AblationPart]:
    """The whole first, then the refit with every feature, then everything with one part less."""
    policy = default.policy()
    refits = {
        name: replace(
            shipped,
            memories=shipped.memories.model_copy(
                update={legs: Coefficients(**by) for legs, by in weights.items()}
            ),
        )
        for name, weights in _refits(training, FEATURES)
    }
    return [
        AblationPart("the whole", policy, shipped),
        *_refitted(policy, refits),
        *_views(policy, shipped),
        AblationPart("without reading of time", policy, shipped, "untimed"),
        *(AblationPart(name, each, shipped) for name, each in _policies(policy).items()),
    ]


def message_parts(
    default: RecallSetting, shipped: Calibrations, training: TrainingData
) -> list[AblationPart]:
    """The same of the recall over past messages, which has neither weights nor MMR."""
    policy = default.policy()
    refits = {
        name: replace(shipped, messages=MessageCalibration(**weights))
        for name, weights in _refits(training, MESSAGE_FEATURES)
    }
    whole = AblationPart("the whole", policy, shipped)
    return [whole, *_refitted(policy, refits), *_views(policy, shipped)]


def _refits(
    training: TrainingData, features: FeatureGroups
) -> Iterator[tuple[str, dict[str, Any]]]:
    """By name the weights for each combination of legs, fitted on the own pairs."""
    for name, without in {"with all features": (), **features}.items():
        yield (
            name,
            {
                legs: fit_weights([_blind(each, without) for each in asked])
                for legs, asked in training.items()
            },
        )


def _blind(asked: LabelledQuestion, without: Sequence[str]) -> LabelledQuestion:
    """A feature without a weight is one that the model never saw."""
    candidates = tuple(
        LabelledCandidate(
            {name: x for name, x in c.features.items() if name not in without}, c.covers
        )
        for c in asked.candidates
    )
    return replace(asked, candidates=candidates)


def _refitted(
    policy: SelectionPolicy, refits: Mapping[str, Calibrations]
) -> Iterator[AblationPart]:
    for place, (name, by) in enumerate(refits.items()):
        if place == 0:
            yield AblationPart(f"refitted, {name}", policy, by)
        else:
            yield AblationPart(f"refitted, without {name}", policy, by, against=REFITTED)


def _views(policy: SelectionPolicy, shipped: Calibrations) -> list[AblationPart]:
    return [
        AblationPart("without the vector leg", policy, shipped, "keyword"),
        AblationPart("without the keyword leg", policy, shipped, "vector"),
    ]


def _policies(policy: SelectionPolicy) -> dict[str, SelectionPolicy]:
    """Each rule and weight the other way than by default."""
    by = policy.ranking
    return {
        _other("the cut by names", policy.people): replace(policy, people=not policy.people),
        _other("MMR", policy.diversity > 0): replace(
            policy, diversity=0.0 if policy.diversity else SPREAD
        ),
        _other("recency", by.beta > 0): _ranked(policy, beta=0.0 if by.beta else LEAST_WEIGHT),
        _other("importance", by.gamma > 0): _ranked(
            policy, gamma=0.0 if by.gamma else LEAST_WEIGHT
        ),
        _other("usage", by.usage != "off"): _ranked(
            policy, usage="penalty" if by.usage == "off" else "off"
        ),
        _other("quality", by.quality): _ranked(policy, quality=not by.quality),
        _other("salience", by.salience): _ranked(policy, salience=not by.salience),
    }


def _ranked(policy: SelectionPolicy, **changed: Any) -> SelectionPolicy:
    return replace(policy, ranking=Ranking(**(policy.ranking.model_dump() | changed)))


def _other(name: str, on: bool) -> str:
    return f"without {name}" if on else f"with {name}"


NAME = "ablation"
SHOWN_METRICS = {**METRIC_LABELS, "uncut_recall_at_5": "recall@5, uncut"}
READING_GUIDE = (
    "Each line has one part less, or one more where it is off by default; below a figure its "
    "difference to the whole on the same questions with the paired 95 % interval, = where it is "
    "none at all, * where the interval excludes 0. “refitted” has the relevance model fitted anew "
    "on the own pairs; without some features it is compared with the refit that has them all. All "
    "figures but the last column's are of what the cut-off leaves: a refit also moves the "
    "probabilities, the last column tells the order alone."
)


@dataclass(frozen=True)
class AblationParts:
    """What is tried on memories and what on past messages."""

    memories: Sequence[AblationPart]
    messages: Sequence[AblationPart]


async def run_ablation(
    settings: Settings, sources: TuningSources, console: Console, progress: Progress
) -> list[Trials[AblationPart]]:
    """Judges the recall whole and without each part, and prints a table for each set. Raises
    NothingToTune, RecallIncomplete, VectorsMissing, DatasetUnreadable."""
    trials = list[Trials[AblationPart]]()
    async with open_system(settings, console.print) as system:
        with progress:
            learned = await collect_parts(system, sources, progress)
            async for gathered in SearchRecorder(system, VIEWS).groups(sources, progress):
                trials.append(await judge_parts(system, gathered, learned, progress))
    for each in trials:
        console.print(_table(each))
    console.print(READING_GUIDE)
    return trials


async def collect_parts(
    system: System, sources: TuningSources, progress: Progress
) -> AblationParts:
    """The parts of both recalls, refitted on the pairs that the product's own coefficients come
    from. Raises RecallIncomplete."""
    default, by = current_setting(system.settings), shipped_calibrations(system.embedder.model)
    pairs = await MemoryCandidateCollector(system).gather(sources.pairs, progress)
    of_messages: list[AblationPart] = []
    if sources.messages:
        dialogues = await MessageCandidateCollector(system).gather(sources.dialogues, progress)
        of_messages = message_parts(default, by, dialogues)
    return AblationParts(memory_parts(default, by, pairs), of_messages)


async def judge_parts(
    system: System, gathered: Sequence[RecordedQuestion], learned: AblationParts, progress: Progress
) -> Trials[AblationPart]:
    """One set of questions, by the parts of the recall that answers them; in a thread of its own,
    since it only computes."""
    default = current_setting(system.settings)
    of_messages = any(isinstance(each, RecordedMessageQuestion) for each in gathered)
    tried = learned.messages if of_messages else learned.memories
    task = progress.add_task("judging parts", total=len(tried))
    # Those with the same coefficients and view share their judgements.
    judges = {part.replay_key: RecallReplay(*part.replay_key) for part in tried}

    def judge(asked: RecordedQuestion, part: AblationPart) -> QuestionMetrics:
        by, uncut = judges[part.replay_key], replace(part.policy, min_score=0.0)
        return question_metrics(
            by.answer(asked, part.policy, default.limit, default.rrf_k),
            by.answer(asked, uncut, default.limit, default.rrf_k),
        )

    return await asyncio.to_thread(
        run_trials, gathered, tried, judge, lambda: progress.advance(task)
    )


async def log_ablation(trials: Sequence[Trials[AblationPart]], settings: Settings) -> str:
    """The id of the parent run in MLflow. Raises what MLflow does."""
    return await log_trials(
        NAME,
        trials,
        lambda part: {"part": part.name},
        files=(),
        tracking_uri=settings.tracking_uri,
        home=settings.keepsake_home,
    )


def _table(trials: Trials[AblationPart]) -> Table:
    title = f"{trials.group}: {trials.questions} questions"
    table = Table(title=title, title_justify="left", show_lines=True)
    table.add_column("part", overflow="fold")
    for label in SHOWN_METRICS.values():
        table.add_column(label, justify="right")
    for place, part in enumerate(trials.tried):
        figures, told = trials.figures(place), trials.differences(place, part.against)
        table.add_row(
            part.name, *(_cell(figures[name], told[name], place) for name in SHOWN_METRICS)
        )
    return table


def _cell(value: float | None, difference: Estimate, place: int) -> str:
    """The figure, and below it the difference with its interval; = where there is none at all."""
    if place == 0 or value is None:
        return format_value(value)
    if difference.value == difference.low == difference.high == 0.0:
        return f"{format_value(value)}\n="
    star = "*" if difference.excludes_zero else ""
    return f"{format_value(value)}\n{format_interval(difference, sign='+')}{star}"
