"""Judges every setting on every question, in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from eval.calibration.logistic import Array
from eval.tuning.comparing import Estimate, Resampling
from eval.tuning.figures import FIGURES, Values, means, table
from eval.tuning.gathered import Gathered

Tried = TypeVar("Tried")
OBJECTIVE, ORDER = "f1", "mrr"
# What the answer of a recall so tried would be worth.
Judge: TypeAlias = Callable[[Gathered, Tried], Values]


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
        return means({name: column[:, place] for name, column in self.columns.items()})

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
    asked: Sequence[Gathered],
    tried: Sequence[Tried],
    judge: Judge[Tried],
    advance: Callable[[], None],
) -> Trials[Tried]:
    """Of the questions of one group, at least one; `advance` is called after each setting."""
    return Trials(asked[0].group, tried, _columns(asked, tried, judge, advance))


def _columns(
    asked: Sequence[Gathered],
    tried: Sequence[Tried],
    judge: Judge[Tried],
    advance: Callable[[], None],
) -> dict[str, Array]:
    tables = []
    for each in tried:
        tables.append(table([judge(question, each) for question in asked]))
        advance()
    return {name: np.column_stack([one[name] for one in tables]) for name in FIGURES}
