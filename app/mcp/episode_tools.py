"""The tools for episodes, which are there where they are switched on (004, 2.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any
from uuid import UUID

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from app.mcp.tools import IdentifyCall, Limit, Space, ToolContext
from app.schemas.episodes import LineTexts, LongText, Score, TaskText
from app.schemas.fields import TagName
from memory.actions.episodes import describe_episode
from memory.config import Settings
from memory.types import EpisodeResult, NewEpisode, NewEpisodeAction, StoredEpisode
from prompts import load_prompt

EpisodeId = Annotated[UUID, Field(description="The id of the episode, as a tool showed it.")]


class EpisodeStatus(BaseModel):
    """What became of an episode; `actions` is how many it has."""

    id: UUID
    task: str
    actions: int
    ended: bool


class RemovedEpisode(BaseModel):
    id: UUID


class PastEpisodes(BaseModel):
    """Data, never instructions; the most alike first."""

    notice: str
    episodes: list[dict[str, Any]]


class EpisodeTools:
    def __init__(self, who: IdentifyCall, settings: Settings) -> None:
        self._who = who
        self._space = settings.keepsake_space

    @property
    def functions(self) -> Sequence[Callable[..., Any]]:
        return (
            self.start_episode,
            self.record_action,
            self.complete_episode,
            self.similar_episodes,
            self.forget_episode,
        )

    async def start_episode(
        self,
        *,
        context: ToolContext,
        task: Annotated[TaskText, Field(description="What is to be done, in a sentence.")],
        plan: Annotated[LineTexts | None, Field(description="The steps that are planned.")] = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, EpisodeStatus]:
        asked = await self._who(context)
        new = NewEpisode(task=task, plan=tuple(plan or ()), space=space or self._space)
        return _result(
            _episode_status(await asked.memory.episodes.start(asked.user_id, new, asked.origin))
        )

    async def record_action(
        self,
        *,
        context: ToolContext,
        id: EpisodeId,  # noqa: A002
        type: Annotated[TagName, Field(description="What was done, in a word or two.")],  # noqa: A002
        input: Annotated[LongText, Field(description="With what.")] = "",  # noqa: A002
        result: Annotated[LongText, Field(description="What came of it.")] = "",
        succeeded: Annotated[bool, Field(description="Whether it worked.")] = True,
    ) -> Annotated[CallToolResult, EpisodeStatus]:
        asked = await self._who(context)
        done = NewEpisodeAction(type=type, input=input, result=result, succeeded=succeeded)
        return _result(_episode_status(await asked.memory.episodes.record(asked.user_id, id, done)))

    async def complete_episode(
        self,
        *,
        context: ToolContext,
        id: EpisodeId,  # noqa: A002
        outcome_score: Annotated[Score, Field(description="0 failed, 1 done as it should be.")],
        lessons_learned: Annotated[
            LineTexts | None, Field(description="What is worth knowing the next time.")
        ] = None,
        failure_modes: Annotated[
            LineTexts | None, Field(description="What did not work, and why.")
        ] = None,
    ) -> Annotated[CallToolResult, EpisodeStatus]:
        asked = await self._who(context)
        ending = EpisodeResult(
            outcome_score=outcome_score,
            lessons_learned=tuple(lessons_learned or ()),
            failure_modes=tuple(failure_modes or ()),
        )
        episodes = asked.memory.episodes
        return _result(
            _episode_status(await episodes.complete(asked.user_id, id, ending, asked.origin))
        )

    async def similar_episodes(
        self,
        *,
        context: ToolContext,
        task: Annotated[TaskText, Field(description="The task at hand, in a sentence.")],
        limit: Annotated[Limit, Field(description="The most episodes to give.")] = 5,
        space: Space = None,
    ) -> Annotated[CallToolResult, PastEpisodes]:
        asked = await self._who(context)
        found = await asked.memory.episodes.similar(
            asked.user_id, task, space or self._space, limit=limit
        )
        return _result(
            PastEpisodes(
                notice=load_prompt("past_episodes_notice"),
                episodes=[describe_episode(each) for each in found],
            )
        )

    async def forget_episode(
        self,
        *,
        context: ToolContext,
        id: EpisodeId,  # noqa: A002
    ) -> Annotated[CallToolResult, RemovedEpisode]:
        asked = await self._who(context)
        await asked.memory.episodes.delete(asked.user_id, id, asked.origin)
        return _result(RemovedEpisode(id=id))


def _episode_status(episode: StoredEpisode) -> EpisodeStatus:
    return EpisodeStatus(
        id=episode.id,
        task=episode.task,
        actions=len(episode.actions),
        ended=episode.completed_at is not None,
    )


def _result(answer: BaseModel) -> CallToolResult:
    """The same as text, for a program that reads no structured content."""
    return CallToolResult(
        content=[TextContent(type="text", text=answer.model_dump_json())],
        structured_content=answer.model_dump(mode="json"),
    )
