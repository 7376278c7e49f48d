"""The SDK's agent: Keepsake's instructions, tools and guardrails around a model."""

from __future__ import annotations

from agents import Agent, Model, ModelSettings

from agent.guardrails import message_guardrail, reply_guardrail
from agent.tools.control_tool import make_control_tool
from agent.tools.episode_tools import make_episode_tools
from agent.tools.past_episodes import instructions_with_episodes
from agent.tools.query_memory import make_query_memory
from agent.tools.remember import make_remember
from agent.turn.context import TurnContext
from prompts import load_prompt


def make_agent(
    model: Model, settings: ModelSettings, *, episodes: bool = False
) -> Agent[TurnContext]:
    """It holds nothing of a turn, so that one serves them all. With `episodes` it has their tools
    and is shown how tasks went before."""
    tools = [make_query_memory(), make_remember(), make_control_tool()]
    return Agent(
        name="Keepsake",
        instructions=instructions_with_episodes if episodes else load_prompt("assistant"),
        model=model,
        model_settings=settings,
        tools=[*tools, *(make_episode_tools() if episodes else ())],
        input_guardrails=[message_guardrail],
        output_guardrails=[reply_guardrail],
    )
