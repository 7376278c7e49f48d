"""The second reader of a message: the configured model, by structured output."""

from __future__ import annotations

import asyncio
import json
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

from agent.models.model import model_settings
from agent.models.reading_answers import ReadingAnswer, UnreadableAnswer, segments_in
from agent.models.told_segments import reading_of
from memory.settings import Settings
from memory.understanding import Message, Reading, SecondReader
from prompts import load_prompt

_log = structlog.get_logger(__name__)


class _AsWritten(AgentOutputSchema):
    """The schema is sent, and the answer taken as it was written: see `reading_answers`."""

    def validate_json(self, json_str: str) -> str:
        return json_str


class ModelReader:
    """Asks the model that the assistant uses, with no tools. It is told the reason once where its
    answer is no reading. Raises UnreadableAnswer for the second one, and what the run raises; see
    `Hearing` for what comes then."""

    def __init__(self, model: Model, settings: ModelSettings, *, banks: Sequence[str]) -> None:
        self._agent = Agent[None](
            name="Keepsake reading",
            instructions=load_prompt("read").replace("{banks}", ", ".join(banks)),
            model=model,
            model_settings=settings,
            output_type=_AsWritten(ReadingAnswer),
        )

    async def read_again(self, message: Message, first: Reading) -> Reading:
        """What the model makes of the message; see `reading_of`. The memories reach it under short
        ids, and of the rest of the store nothing does."""
        asked: list[TResponseInputItem] = [_from_user(_question(message))]
        answer, said = await self._ask(asked)
        try:
            return await asyncio.to_thread(_read, answer, message, first)
        except UnreadableAnswer as error:
            reason = str(error.fields["reason"])
            _log.warning("reading_asked_again", reason=reason)
            repair = load_prompt("read_repair").replace("{reason}", reason)
        answer, _ = await self._ask([*said, _from_user(repair)])
        return await asyncio.to_thread(_read, answer, message, first)

    async def _ask(self, asked: list[TResponseInputItem]) -> tuple[str, list[TResponseInputItem]]:
        """The answer, empty where the model said nothing, and all that was said with it."""
        try:
            result = await Runner.run(
                self._agent, asked, max_turns=1, run_config=RunConfig(tracing_disabled=True)
            )
        except MaxTurnsExceeded:
            return "", asked
        return str(result.final_output), result.to_input_list()


def make_reader(model: Model, settings: Settings) -> SecondReader | None:
    """None where no model is configured: the offline reading stands then."""
    if not settings.has_model:
        return None
    return ModelReader(model, model_settings(settings), banks=settings.memory_banks)


def _read(answer: str, message: Message, first: Reading) -> Reading:
    return reading_of(segments_in(answer), message, first)


def _question(message: Message) -> str:
    """All of it as JSON, whose strings cannot close a tag, with the day on which “last Friday”
    depends."""
    asked: dict[str, Any] = {
        "written_by": message.role,
        "day": f"{message.said_at:%A} {message.said_at.date().isoformat()}",
        "earlier": [{"role": each.role, "text": each.text} for each in message.earlier],
        "memories": {f"m{number}": each.text for number, each in enumerate(message.known, start=1)},
        "message": message.text,
    }
    text = json.dumps(asked, ensure_ascii=False)
    quoted = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<reading>\n{quoted}\n</reading>"


def _from_user(text: str) -> TResponseInputItem:
    return {"role": "user", "content": text}
