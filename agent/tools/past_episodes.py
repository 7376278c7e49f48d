"""What an agent is shown of how tasks like the one at hand went before: data, never orders."""

from __future__ import annotations

import json
from typing import Any

import structlog
from agents import Agent, RunContextWrapper

from agent.turn.context import TurnContext
from memory.controls.episode_words import told_of
from memory.episode import Alike
from memory.errors import KeepsakeError
from prompts import load_prompt

MOST = 3
# Nobody asked for it, so it has to be more alike than what is looked for.
ALIKE = 0.45
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
            turn.user_id, turn.said, turn.space, limit=MOST, at_least=ALIKE
        )
        told = [told_of(each) for each in found if _teaches(each)]
    except KeepsakeError as error:
        _log.info("no_past_episodes", reason=type(error).__name__)
        return ""
    except Exception as error:  # whatever it is: by its class alone, it could hold somebody's words
        _log.error("no_past_episodes", reason=type(error).__name__)
        return ""
    if not told:
        return ""
    quoted = as_data({"episodes": told})
    return f"{load_prompt('past_episodes')}\n<past_episodes>\n{quoted}\n</past_episodes>"


def as_data(told: dict[str, Any]) -> str:
    """As JSON whose strings cannot close a tag."""
    text = json.dumps(told, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _teaches(alike: Alike) -> bool:
    episode = alike.episode
    failed = any(not each.succeeded for each in episode.actions)
    return bool(episode.failure_modes or episode.lessons_learned or failed)
