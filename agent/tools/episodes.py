"""Episodes for the model: what is noted of tasks like the one at hand, as data and never as orders,
and the tools that write it, where they are switched on (004, 2.3)."""

from __future__ import annotations

import json
from typing import Annotated, Any
from uuid import UUID

import structlog
from agents import Agent, FunctionTool, ModelBehaviorError, RunContextWrapper, function_tool
from pydantic import Field, ValidationError

from agent.turn.context import TurnContext
from memory.actions.episodes import describe_episode
from memory.errors import EpisodeNotFound, KeepsakeError
from memory.types import EpisodeResult, NewEpisode, NewEpisodeAction, Origin, SimilarEpisode
from prompts import load_prompt, quote_json

MOST_EPISODES = 3
# Nobody asked for it, so it has to be more alike than what is looked for.
EPISODE_LIKENESS = 0.45
_log = structlog.get_logger(__name__)


async def instructions_with_episodes(
    context: RunContextWrapper[TurnContext], _agent: Agent[TurnContext]
) -> str:
    """The instructions, how episodes are used, and what was noted of tasks like what was said in
    this turn, looked up once."""
    turn = context.context
    if turn.past_episodes is None:
        turn.past_episodes = await past_episodes(turn)
    parts = (load_prompt("assistant"), load_prompt("episodes"), turn.past_episodes)
    return "\n\n".join(part for part in parts if part)


async def past_episodes(turn: TurnContext) -> str:
    """The section about earlier episodes; empty where there is nothing to learn from, where memory
    may not be read, and where it does not answer: a turn never fails for it."""
    try:
        found = await turn.memory.episodes.similar(
            turn.user_id, turn.said, turn.space, limit=MOST_EPISODES, at_least=EPISODE_LIKENESS
        )
        told = [describe_episode(each) for each in found if _teaches(each)]
    except KeepsakeError as error:
        _log.info("no_past_episodes", reason=type(error).__name__)
        return ""
    except Exception as error:  # whatever it is: by its class alone, it could hold somebody's words
        _log.error("no_past_episodes", reason=type(error).__name__)
        return ""
    if not told:
        return ""
    quoted = quote_json({"episodes": told})
    return f"{load_prompt('past_episodes')}\n<past_episodes>\n{quoted}\n</past_episodes>"


def _teaches(alike: SimilarEpisode) -> bool:
    episode = alike.episode
    failed = any(not each.succeeded for each in episode.actions)
    return bool(episode.failure_modes or episode.lessons_learned or failed)


EPISODE_TIMEOUT = 60.0
Lines = Annotated[list[str] | None, Field(description="One short sentence each, 20 at most.")]


def make_episode_tools() -> list[FunctionTool]:
    return [_start(), _record(), _complete(), _similar()]


def _tool(name: str) -> Any:
    return function_tool(
        name_override=name,
        description_override=load_prompt(name),
        timeout=EPISODE_TIMEOUT,
        timeout_error_function=_not_done,
        failure_error_function=_not_done,
    )


def _start() -> FunctionTool:
    async def start_episode(
        context: RunContextWrapper[TurnContext], task: str, plan: Lines = None
    ) -> str:
        turn = context.context
        new = NewEpisode(task=task, plan=tuple(plan or ()), space=turn.space)
        alike = await turn.memory.episodes.similar(turn.user_id, task, turn.space)
        episode = await turn.memory.episodes.start(turn.user_id, new, _origin(turn))
        return quote_json(
            {
                "episode_id": str(episode.id),
                "notice": load_prompt("past_episodes_notice"),
                "similar": [describe_episode(each) for each in alike],
            }
        )

    made: FunctionTool = _tool("start_episode")(start_episode)
    return made


def _record() -> FunctionTool:
    async def record_action(  # noqa: PLR0917 - the SDK calls it with the model's arguments
        context: RunContextWrapper[TurnContext],
        episode_id: str,
        type: str,  # noqa: A002 - as REST names it
        input: str = "",  # noqa: A002
        result: str = "",
        succeeded: bool = True,
    ) -> str:
        turn = context.context
        done = NewEpisodeAction(type=type, input=input, result=result, succeeded=succeeded)
        episode = await turn.memory.episodes.record(turn.user_id, _id(episode_id), done)
        return quote_json({"episode_id": str(episode.id), "actions": len(episode.actions)})

    made: FunctionTool = _tool("record_action")(record_action)
    return made


def _complete() -> FunctionTool:
    async def complete_episode(
        context: RunContextWrapper[TurnContext],
        episode_id: str,
        outcome_score: Annotated[float, Field(description="0 failed, 1 done as it should be.")],
        lessons_learned: Lines = None,
        failure_modes: Lines = None,
    ) -> str:
        turn = context.context
        ending = EpisodeResult(
            outcome_score=outcome_score,
            lessons_learned=tuple(lessons_learned or ()),
            failure_modes=tuple(failure_modes or ()),
        )
        episodes = turn.memory.episodes
        episode = await episodes.complete(turn.user_id, _id(episode_id), ending, _origin(turn))
        return quote_json({"episode_id": str(episode.id), "ended": True})

    made: FunctionTool = _tool("complete_episode")(complete_episode)
    return made


def _similar() -> FunctionTool:
    async def similar_episodes(context: RunContextWrapper[TurnContext], task: str) -> str:
        turn = context.context
        alike = await turn.memory.episodes.similar(turn.user_id, task, turn.space)
        told = [describe_episode(each) for each in alike]
        return quote_json({"notice": load_prompt("past_episodes_notice"), "similar": told})

    made: FunctionTool = _tool("similar_episodes")(similar_episodes)
    return made


def _id(said: str) -> UUID:
    """Plain text in the schema: servers differ in which formats a strict one may have. Raises
    EpisodeNotFound for what is no id."""
    try:
        return UUID(said)
    except ValueError:
        raise EpisodeNotFound from None


def _origin(turn: TurnContext) -> Origin:
    return Origin("assistant", turn.correlation_id)


def _not_done(_context: RunContextWrapper[Any], error: Exception) -> str:
    _log.error("episode_tool_failed", reason=type(error).__name__)
    reason = "memory did not answer in time"
    if isinstance(error, KeepsakeError):
        reason = str(error)
    elif isinstance(error, ValidationError | ModelBehaviorError):
        reason = "an argument is missing, too long or of another kind"
    return json.dumps({"error": reason})
