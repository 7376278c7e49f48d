"""An episode as REST tells of it, and what a client sends to write one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.schemas.fields import Flag, PlainText, SpaceName, TagName
from memory import types as stored
from memory.types import (
    MAX_ACTION_CHARS,
    MAX_LINE_CHARS,
    MAX_LINES,
    MAX_TASK_CHARS,
    EpisodeResult,
    NewEpisode,
    NewEpisodeAction,
    episode_value,
)

EpisodeId = Annotated[UUID, Path(alias="id", description="The id of an episode.")]
TaskText = Annotated[str, PlainText, Field(min_length=1, max_length=MAX_TASK_CHARS)]
LineText = Annotated[str, PlainText, Field(min_length=1, max_length=MAX_LINE_CHARS)]
LineTexts = Annotated[list[LineText], Field(max_length=MAX_LINES)]
LongText = Annotated[str, PlainText, Field(max_length=MAX_ACTION_CHARS)]
Score = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
_EXAMPLE: JsonDict = {
    "id": "6f1c2f0a-3a51-4bb1-9b1e-2c6d3a0f4a11",
    "task": "Deploy the shop to staging",
    "space": "default",
    "plan": ["run the migrations", "restart the workers"],
    "actions": [],
    "outcome_score": 0.3,
    "value": 0.65,
    "lessons_learned": ["stop the workers before the migrations"],
    "failure_modes": ["the migration waited for a lock of the workers"],
    "created_at": "2026-05-01T09:30:00Z",
    "completed_at": "2026-05-01T10:30:00Z",
}


class ActionRequest(BaseModel):
    """One thing that was done for a task."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"type": "migrate", "result": "timed out", "succeeded": False}]
        },
    )

    type: TagName
    input: LongText = ""
    result: LongText = ""
    succeeded: Flag = True

    def as_new(self) -> NewEpisodeAction:
        return NewEpisodeAction(**self.model_dump())


class EpisodeStart(BaseModel):
    """A task, and the steps that are planned for it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"task": "Deploy the shop to staging"}]},
    )

    task: TaskText
    plan: LineTexts = []
    space: SpaceName | None = None

    def as_new(self, space: str) -> NewEpisode:
        return NewEpisode(task=self.task, plan=tuple(self.plan), space=self.space or space)


class EpisodeCompletion(BaseModel):
    """How it went, from 0 (failed) to 1 (done as it should be), what was learned, and what did not
    work."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"outcome_score": 0.3, "failure_modes": ["no rights"]}]},
    )

    outcome_score: Score
    lessons_learned: LineTexts = []
    failure_modes: LineTexts = []

    def as_ending(self) -> EpisodeResult:
        return EpisodeResult(
            outcome_score=self.outcome_score,
            lessons_learned=tuple(self.lessons_learned),
            failure_modes=tuple(self.failure_modes),
        )


class SimilarEpisodesQuery(BaseModel):
    """A task to which others are to be found that were like it."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"task": "Deploy the shop"}]}
    )

    task: TaskText
    space: SpaceName | None = None
    limit: Annotated[int, Field(ge=1, le=50, strict=True)] = 5


class RecordedAction(BaseModel):
    """One thing that was done for a task, and when."""

    type: str
    input: str
    result: str
    succeeded: bool
    at: datetime


class EpisodeRecord(BaseModel):
    """One task. `outcome_score`, `value` and `completed_at` are null while it goes on; the `value`
    is what there is to learn from it, by which it is kept."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    id: UUID
    task: str
    space: str
    plan: list[str]
    actions: list[RecordedAction]
    outcome_score: float | None
    value: float | None
    lessons_learned: list[str]
    failure_modes: list[str]
    created_at: datetime
    completed_at: datetime | None

    @classmethod
    def of(cls, episode: stored.StoredEpisode, midpoint: float) -> Self:
        score = episode.outcome_score
        value = None if score is None else round(episode_value(score, midpoint), 4)
        return cls.model_validate({**episode.model_dump(), "value": value})


class EpisodeMatch(BaseModel):
    """`likeness` is from 0 to 1."""

    likeness: float
    episode: EpisodeRecord


class EpisodeMatchList(BaseModel):
    """The most alike first."""

    episodes: list[EpisodeMatch]


class EpisodeList(BaseModel):
    """A page of the episodes of a space, the newest first; `next` is the cursor of the page after
    it."""

    episodes: list[EpisodeRecord]
    next: str | None
