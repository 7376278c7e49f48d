"""The SDK's agent: Keepsake's instructions, tools and guardrails around a model."""

from __future__ import annotations

from agents import Agent, Model, ModelSettings

from agent.context import TurnContext
from agent.guardrails import message_guardrail, reply_guardrail
from agent.tools import make_tools
from prompts import load_prompt


def make_agent(model: Model, settings: ModelSettings) -> Agent[TurnContext]:
    """It holds nothing of a turn, so that one serves them all."""
    return Agent(
        name="Keepsake",
        instructions=load_prompt("assistant"),
        model=model,
        model_settings=settings,
        tools=list(make_tools()),
        input_guardrails=[message_guardrail],
        output_guardrails=[reply_guardrail],
    )
