"""Episodes as types: a task, what was done for it, how it ended, and what that is worth (004, 2.1
and 2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from memory.models import DEFAULT_SPACE, Frozen, Name, Share

MOST_ACTIONS = 200
# All actions of an episode together, as they are stored.
MOST_BYTES = 200_000
MOST_LINES = 20
MOST_TASK_CHARS = 1000
MOST_TYPE_CHARS = 100
MOST_LINE_CHARS = 500
MOST_CHARS = 2000
MIDPOINT = 0.65
WORTH_KEEPING = 0.18

Task = Annotated[str, Field(min_length=1, max_length=MOST_TASK_CHARS)]
Line = Annotated[str, Field(min_length=1, max_length=MOST_LINE_CHARS)]
Lines = Annotated[tuple[Line, ...], Field(max_length=MOST_LINES)]


class NewEpisode(Frozen):
    """A task that is begun, with the steps that are planned for it."""

    task: Task
    plan: Lines = ()
    space: Annotated[str, Name, Field(min_length=1, max_length=255)] = DEFAULT_SPACE


class NewAction(Frozen):
    """One thing that was done, with what, and what came of it."""

    type: Annotated[str, Name, Field(min_length=1, max_length=MOST_TYPE_CHARS)]
    input: Annotated[str, Field(max_length=MOST_CHARS)] = ""
    result: Annotated[str, Field(max_length=MOST_CHARS)] = ""
    succeeded: bool = True


class Action(Frozen):
    """As it is stored, where what stands for something that was taken out may be longer."""

    type: str
    input: str
    result: str
    succeeded: bool
    at: datetime


class Ending(Frozen):
    """How it went, from 0 (failed) to 1 (done as it should be), and what there was to learn."""

    outcome_score: Share
    lessons_learned: Lines = ()
    failure_modes: Lines = ()


class Episode(Frozen):
    """As it is stored, without its vector; `outcome_score` and `completed_at` are None while it
    goes on."""

    id: UUID
    task: str
    space: str
    plan: tuple[str, ...]
    actions: tuple[Action, ...]
    outcome_score: float | None
    lessons_learned: tuple[str, ...]
    failure_modes: tuple[str, ...]
    created_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True)
class Alike:
    """An episode that is like a task, by how much, from 0 to 1."""

    episode: Episode
    likeness: float


def value_of(outcome_score: float, midpoint: float = MIDPOINT) -> float:
    """What there is to learn from an outcome, from 0 to 1: most where it was neither too easy nor
    too hard, max(0, 1 - |outcome - midpoint|) (004, 2.2)."""
    return max(0.0, 1.0 - abs(outcome_score - midpoint))


def is_worth_keeping(
    outcome_score: float, midpoint: float = MIDPOINT, threshold: float = WORTH_KEEPING
) -> bool:
    """(004, 2.2). With the midpoint and threshold of the specification every outcome is: the
    least value, of an outcome of 0, is 0.35. What goes then goes by the cap."""
    return value_of(outcome_score, midpoint) >= threshold
