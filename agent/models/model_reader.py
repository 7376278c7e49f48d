"""The second reader of a message: the configured model, by structured output."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog
from agents import (
    Agent,
    AgentOutputSchema,
    MaxTurnsExceeded,
    Model,
    ModelSettings,
    RunConfig,
    Runner,
    TResponseInputItem,
)
from pydantic import BaseModel

from agent.models.provider import model_settings
from agent.models.reading_answer import read_answer
from memory.config import Settings
from memory.errors import UnreadableAnswer
from memory.understanding import Interpretation, MessageText
from prompts import load_prompt, quote_json

_log = structlog.get_logger(__name__)


class SegmentAnswer(BaseModel):
    """One segment as the model gives it.

    Plain types alone: servers differ in which bounds and formats a strict schema may have, so
    these are looked at afterwards, and what is wrong costs one value and not the message.
    """

    text: str
    kind: str
    category: str
    bank: str
    lifetime: str
    confidence: float
    alone: bool
    relation: str
    memories: list[str]


class SegmentAnswers(BaseModel):
    segments: list[SegmentAnswer]


class _AsWritten(AgentOutputSchema):
    """The schema is sent, and the answer taken as it was written; see `reading_answer`."""

    def validate_json(self, json_str: str) -> str:
        return json_str


class ModelReader:
    """Asks the model that the assistant uses, with no tools; what is wrong with its answer it is
    told once. Raises UnreadableAnswer for the second one, and what the run raises."""

    def __init__(self, model: Model, settings: ModelSettings, *, banks: Sequence[str]) -> None:
        self._agent = Agent[None](
            name="Keepsake reading",
            instructions=load_prompt("read").replace("{banks}", ", ".join(banks)),
            model=model,
            model_settings=settings,
            output_type=_AsWritten(SegmentAnswers),
        )

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        """What the model makes of the message; see `read_answer`. The known memories reach it under
        short ids, and of the rest of the store nothing does."""
        question = _question(message)
        answer = await self._ask(question)
        try:
            return await asyncio.to_thread(read_answer, answer, message, first)
        except UnreadableAnswer as error:
            reason = str(error.fields["reason"])
            _log.warning("reading_asked_again", reason=reason)
            repair = load_prompt("read_repair").replace("{reason}", reason)
        answer = await self._ask(question, answer or "(nothing)", repair)
        return await asyncio.to_thread(read_answer, answer, message, first)

    async def _ask(self, question: str, *then: str) -> str:
        """The answer, empty where the model says nothing; after the question the two speak in
        turn."""
        asked: list[TResponseInputItem] = [{"role": "user", "content": question}]
        for number, text in enumerate(then):
            asked.append({"role": "user" if number % 2 else "assistant", "content": text})
        try:
            result = await Runner.run(
                self._agent, asked, max_turns=1, run_config=RunConfig(tracing_disabled=True)
            )
        except MaxTurnsExceeded:
            return ""
        return str(result.final_output)


def make_model_reader(model: Model, settings: Settings) -> ModelReader | None:
    """None where no model is configured: the offline reading stands then."""
    if not settings.has_model:
        return None
    return ModelReader(model, model_settings(settings), banks=settings.memory_banks)


def _question(message: MessageText) -> str:
    """All of it, with the day on which “last Friday” depends."""
    asked: dict[str, Any] = {
        "written_by": message.role,
        "day": f"{message.said_at:%A} {message.said_at.date().isoformat()}",
        "earlier": [{"role": each.role, "text": each.text} for each in message.earlier],
        "memories": {f"m{number}": each for number, each in enumerate(message.known, start=1)},
        "message": message.text,
    }
    return f"<reading>\n{quote_json(asked)}\n</reading>"
