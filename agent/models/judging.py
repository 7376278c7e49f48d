"""A model as the judge of a reply: did it solve the task, and did it cite its memory as it should
(SC-005 of specification 001)."""

from __future__ import annotations

from collections.abc import Sequence

from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.model import model_settings
from memory.settings import Settings
from prompts import load_prompt


class Judgement(BaseModel):
    """See `prompts/judge.md` for what each of them means."""

    solves: bool
    cites: bool
    invents: bool
    why: str


class ModelJudge:
    """Asks the model that the assistant uses, with no tools and no memory. Raises what the run
    raises."""

    def __init__(self, model: Model, settings: ModelSettings) -> None:
        self._agent = Agent[None](
            name="Keepsake judge",
            instructions=load_prompt("judge"),
            model=model,
            model_settings=settings,
            output_type=AgentOutputSchema(Judgement),
        )

    async def judge(
        self,
        task: str,
        reply: str,
        *,
        facts: Sequence[str],
        forbidden: Sequence[str],
        recalled: Sequence[str],
    ) -> Judgement:
        parts = {
            "task": [task],
            "facts": facts,
            "must_not_hold": forbidden,
            "recalled_memories": recalled,
            "reply": [reply],
        }
        asked = "\n".join(_quoted(name, lines) for name, lines in parts.items())
        result = await Runner.run(
            self._agent, asked, max_turns=1, run_config=RunConfig(tracing_disabled=True)
        )
        return result.final_output_as(Judgement)


def make_judge(model: Model, settings: Settings) -> ModelJudge | None:
    """The model where one is configured; None leaves the judgement to rules."""
    return ModelJudge(model, model_settings(settings)) if settings.has_model else None


def _quoted(name: str, lines: Sequence[str]) -> str:
    """The lines between tags that nothing in them can close."""
    words = "\n".join(lines or ["(none)"]).replace("</", "< /")
    return f"<{name}>\n{words}\n</{name}>"
