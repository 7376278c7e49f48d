"""Extraction by a model: structured output, the same shape as the rules give."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

import structlog
from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.model import model_settings
from memory.dates import resolve
from memory.settings import Settings
from memory.write.banks import allowed_bank
from memory.write.candidates import Candidate, Extractor, Said
from prompts import load_prompt

MAX_FACTS = 10
_log = structlog.get_logger(__name__)


class Fact(BaseModel):
    """One fact as the model gives it; `happened_on` is a day as YYYY-MM-DD or null.

    Plain types alone: servers differ in which bounds and formats a strict schema may have, so
    these are looked at afterwards, and what is wrong costs one fact and not the message.
    """

    text: str
    type: str
    category: str
    bank: str
    importance: float
    happened_on: str | None


class Facts(BaseModel):
    facts: list[Fact]


class ModelExtractor:
    """Asks the model that the assistant uses, with no tools and no memory: what was recalled
    cannot be learned again. Raises what the run raises; see `Learner` for what comes then."""

    def __init__(
        self, model: Model, settings: ModelSettings, *, banks: Sequence[str], default_bank: str
    ) -> None:
        self._banks = banks
        self._default_bank = default_bank
        self._agent = Agent[None](
            name="Keepsake extraction",
            instructions=load_prompt("extract").replace("{banks}", ", ".join(banks)),
            model=model,
            model_settings=settings,
            output_type=AgentOutputSchema(Facts),
        )

    async def extract(self, said: Said) -> list[Candidate]:
        """What the model finds in the message, of which only the words reach it: the first
        MAX_FACTS, without those that are not as they should be."""
        result = await Runner.run(
            self._agent, _question(said), max_turns=1, run_config=RunConfig(tracing_disabled=True)
        )
        facts = result.final_output_as(Facts).facts
        found = [self._candidate(fact, said.said_at) for fact in facts[:MAX_FACTS]]
        kept = [each for each in found if each is not None]
        if len(kept) < len(facts):
            _log.warning("facts_left_out", count=len(facts) - len(kept))
        return kept

    def _candidate(self, fact: Fact, said_at: datetime) -> Candidate | None:
        """None for a fact whose type, category, importance, day or length is none."""
        content, dated = resolve(fact.text.strip().rstrip("."), said_at)
        try:
            return Candidate.model_validate(
                {
                    "content": content,
                    "type": fact.type,
                    "category": fact.category,
                    "bank": allowed_bank(fact.bank, self._banks) or self._default_bank,
                    "importance": fact.importance,
                    "occurred_at": _midnight(fact.happened_on, said_at) or dated,
                }
            )
        except ValueError:
            return None


def _midnight(day: str | None, said_at: datetime) -> datetime | None:
    if not day:
        return None
    return datetime.combine(date.fromisoformat(day), time(), tzinfo=said_at.tzinfo)


def _question(said: Said) -> str:
    """The message as quoted data, with the day on which “last Friday” depends."""
    quoted = said.text.replace("</message>", "< /message>")
    day = f"{said.said_at:%A} {said.said_at.date().isoformat()}"
    return f"Written by the {said.role} on {day}:\n<message>\n{quoted}\n</message>"


def make_extractor(model: Model, settings: Settings) -> Extractor | None:
    """By the model where one is configured; None leaves it to the rules."""
    if not settings.has_model:
        return None
    return ModelExtractor(
        model,
        model_settings(settings),
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
    )
