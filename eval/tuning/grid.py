"""One setting of the recall, and the ones that a sweep tries. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from memory.config import Settings
from memory.factory import make_ranking
from memory.retrieval.hybrid_search import RRF_K
from memory.retrieval.ranking import Ranking
from memory.retrieval.selection import SelectionPolicy

NO_DIVERSITY = 1.0


@dataclass(frozen=True)
class RecallSetting:
    """What a sweep varies. `diversity` is λ of MMR, 1 for relevance alone; `limit` is N."""

    ranking: Ranking = field(default_factory=Ranking)
    min_score: float = 0.3
    limit: int = 10
    diversity: float = NO_DIVERSITY
    rrf_k: int = RRF_K

    def policy(self) -> SelectionPolicy:
        return SelectionPolicy(
            min_score=self.min_score,
            ranking=self.ranking,
            diversity=1.0 - self.diversity,
        )

    def value(self, parameter: str) -> float:
        of = self.ranking if parameter in Ranking.model_fields else self
        return float(getattr(of, parameter))

    def but(self, **changed: Any) -> RecallSetting:
        """With other values, those of the ranking among them. Raises ValidationError where the
        ranking refuses one."""
        ranked = {name: value for name, value in changed.items() if name in Ranking.model_fields}
        own = {name: value for name, value in changed.items() if name not in ranked}
        ranking = Ranking(**(self.ranking.model_dump() | ranked))
        return replace(self, ranking=ranking, **own)

    def parameters(self) -> dict[str, float]:
        """Every parameter that a sweep varies, by its name."""
        return {name: self.value(name) for name in CURVES}


CURVES: dict[str, tuple[float, ...]] = {
    "alpha": (0.25, 0.5, 1.0, 2.0, 4.0),
    "beta": (0.0, 0.05, 0.1, 0.2, 0.4, 1.0),
    "gamma": (0.0, 0.05, 0.1, 0.2, 0.4, 1.0),
    "recency_days": (1.0, 3.0, 7.0, 14.0, 30.0, 90.0, 365.0),
    "rrf_k": (1, 10, 30, 60, 120),
    "limit": (1, 2, 3, 5, 8, 10, 16),
    "diversity": (0.3, 0.5, 0.7, 0.8, 0.9, 1.0),
    "min_score": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8),
}
"""The values of each parameter that are tried while the others keep their default."""

# Only the ratios of the weights rank, so alpha stays at 1 in the grid.
GRID: dict[str, tuple[float, ...]] = {
    "beta": (0.0, 0.05, 0.1, 0.3, 1.0),
    "gamma": (0.0, 0.05, 0.1, 0.3, 1.0),
    "recency_days": (7.0, 30.0),
}
# Without a weight of its own the recency has no curve to draw, and with one weight alone a weight.
LEAST_WEIGHT = 0.2


def current_setting(settings: Settings) -> RecallSetting:
    """The setting that ships, as the environment has it."""
    return RecallSetting(
        ranking=make_ranking(settings),
        min_score=settings.min_relevance,
        limit=settings.max_results,
        diversity=settings.mmr_lambda,
        rrf_k=settings.rrf_k,
    )


def parameter_curve(default: RecallSetting, parameter: str) -> list[RecallSetting]:
    """The curve of one parameter. Where the default gives recency or importance no weight, their
    curves are drawn at `LEAST_WEIGHT`: at 0 nothing that concerns them could change anything."""
    start = default
    if parameter == "recency_days":
        start = default.but(beta=max(default.ranking.beta, LEAST_WEIGHT))
    if parameter == "alpha":
        start = default.but(
            beta=max(default.ranking.beta, LEAST_WEIGHT),
            gamma=max(default.ranking.gamma, LEAST_WEIGHT),
        )
    whole = parameter in {"limit", "rrf_k"}
    values = {default.value(parameter), *CURVES[parameter]}
    return [start.but(**{parameter: int(value) if whole else value}) for value in sorted(values)]


def weight_grid(default: RecallSetting) -> Iterator[RecallSetting]:
    """Every combination of the weights, and of the days where recency has one."""
    for values in product(*GRID.values()):
        named = dict(zip(GRID, values, strict=True))
        if named["beta"] or named["recency_days"] == GRID["recency_days"][0]:
            yield default.but(alpha=1.0, **named)


def all_settings(default: RecallSetting) -> list[RecallSetting]:
    """The default first, then every curve and the grid, each setting once."""
    tried = [
        default,
        *(each for name in CURVES for each in parameter_curve(default, name)),
        *weight_grid(default),
    ]
    return list(dict.fromkeys(tried))
