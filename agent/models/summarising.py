"""The words of a roll-up by a model (003, phase 3)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.model import model_settings
from memory.settings import Settings
from memory.upkeep.rolling_up.summariser import Summariser
from prompts import load_prompt


class Summary(BaseModel):
    summary: str


class ModelSummariser:
    """Asks the model that the assistant uses, with no tools and no memory. Raises what the run
    raises; see `Wording` for what comes then, and for how its words are checked."""

    def __init__(self, model: Model, settings: ModelSettings) -> None:
        self._agent = Agent[None](
            name="Keepsake roll-up",
            instructions=load_prompt("roll_up"),
            model=model,
            model_settings=settings,
            output_type=AgentOutputSchema(Summary),
        )

    async def summarise(self, memories: Sequence[str]) -> str:
        """One paragraph for the memories, which are in order, the newest last."""
        result = await Runner.run(
            self._agent,
            _question(memories),
            max_turns=1,
            run_config=RunConfig(tracing_disabled=True),
        )
        return " ".join(result.final_output_as(Summary).summary.split())


def _question(memories: Sequence[str]) -> str:
    """The memories as JSON, whose strings cannot close a tag."""
    text = json.dumps(list(memories), ensure_ascii=False)
    quoted = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<memories>\n{quoted}\n</memories>"


def make_summariser(model: Model, settings: Settings) -> Summariser | None:
    """None where no model is configured: the sentences of the memories are taken then."""
    return ModelSummariser(model, model_settings(settings)) if settings.has_model else None
