"""The parts of the recall that can be taken away: by a refit, by a policy, or with a leg."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from eval.calibration.fitting import fit_weights
from eval.calibration.training import Asked, Candidate, Training
from eval.tuning.gathered import WHOLE, View
from eval.tuning.judging import Calibrations
from eval.tuning.setting import LEAST_WEIGHT, Setting
from memory.recall.choice.candidate import Policy
from memory.recall.choice.ranking import Ranking
from memory.recall.messages.relevance import MessageCalibration
from memory.recall.search.relevance import Calibration

VIEWS: tuple[View, ...] = ("whole", "keyword", "vector", "untimed")
# 1 - λ of MMR where it is off by default.
SPREAD = 0.3
REFITTED = 1

Named: TypeAlias = Mapping[str, tuple[str, ...]]
FEATURES: Named = {
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
MESSAGE_FEATURES: Named = {
    "the gaps to the best": ("cosine_gap", "bm25_gap", "coverage_gap"),
    "coverage": ("coverage", "coverage_gap"),
    "BM25": ("bm25", "bm25_gap"),
    "cosine": ("cosine", "cosine_gap"),
    "the message before": ("before_cosine", "before_bm25"),
    "the message after": ("after_cosine", "after_bm25"),
    "answers to questions": ("answers_cosine", "answers_bm25"),
    "who said it": ("by_user", "speaker_fits"),
    "asks for a number": ("number_missing",),
    "only asks, or repeats": ("asks", "repeats"),
    "length": ("log_length",),
}


@dataclass(frozen=True)
class Part:
    """The recall with one part changed. `against` is the place that it is compared with."""

    name: str
    policy: Policy
    calibrations: Calibrations
    view: View = WHOLE
    against: int = 0

    @property
    def judged_by(self) -> tuple[Calibrations, View]:
        return self.calibrations, self.view


def memory_parts(default: Setting, shipped: Calibrations, training: Training) -> list[Part]:
    """The whole first, then the refit with every feature, then everything with one part less."""
    policy = default.policy()
    refits = {
        name: replace(shipped, memories=Calibration(**weights))
        for name, weights in _refits(training, FEATURES)
    }
    return [
        Part("the whole", policy, shipped),
        *_refitted(policy, refits),
        *_views(policy, shipped),
        Part("without reading of time", policy, shipped, "untimed"),
        *(Part(name, each, shipped) for name, each in _policies(policy).items()),
    ]


def message_parts(default: Setting, shipped: Calibrations, training: Training) -> list[Part]:
    """The same of the recall over past messages, which has neither weights nor MMR."""
    policy = default.policy()
    refits = {
        name: replace(shipped, messages=MessageCalibration(**weights))
        for name, weights in _refits(training, MESSAGE_FEATURES)
    }
    whole = Part("the whole", policy, shipped)
    return [whole, *_refitted(policy, refits), *_views(policy, shipped)]


def _refits(training: Training, features: Named) -> Iterator[tuple[str, dict[str, Any]]]:
    """By name the weights for each combination of legs, fitted on the own pairs."""
    for name, without in {"with all features": (), **features}.items():
        yield (
            name,
            {
                legs: fit_weights([_blind(each, without) for each in asked])
                for legs, asked in training.items()
            },
        )


def _blind(asked: Asked, without: Sequence[str]) -> Asked:
    """A feature without a weight is one that the model never saw."""
    candidates = tuple(
        Candidate({name: x for name, x in c.features.items() if name not in without}, c.covers)
        for c in asked.candidates
    )
    return replace(asked, candidates=candidates)


def _refitted(policy: Policy, refits: Mapping[str, Calibrations]) -> Iterator[Part]:
    for place, (name, by) in enumerate(refits.items()):
        if place == 0:
            yield Part(f"refitted, {name}", policy, by)
        else:
            yield Part(f"refitted, without {name}", policy, by, against=REFITTED)


def _views(policy: Policy, shipped: Calibrations) -> list[Part]:
    return [
        Part("without the vector leg", policy, shipped, "keyword"),
        Part("without the keyword leg", policy, shipped, "vector"),
    ]


def _policies(policy: Policy) -> dict[str, Policy]:
    """Each rule and weight the other way than by default."""
    by = policy.ranking
    return {
        _other("leaving out what only asks", policy.answers_only): replace(
            policy, answers_only=not policy.answers_only
        ),
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


def _ranked(policy: Policy, **changed: Any) -> Policy:
    return replace(policy, ranking=Ranking(**(policy.ranking.model_dump() | changed)))


def _other(name: str, on: bool) -> str:
    return f"without {name}" if on else f"with {name}"
