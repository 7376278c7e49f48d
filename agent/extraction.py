"""Extraction by a model: structured output, the same shape as the rules give."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Annotated

from agents import Agent, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel, ConfigDict, Field

from agent.model import model_settings
from memory.models import MAX_ITEM_CHARS, ItemType, Share
from memory.settings import Settings
from memory.write.candidates import Candidate, Category, Extractor, Said
from prompts import load_prompt

MAX_FACTS = 10


class Fact(BaseModel):
    """One fact as the model gives it; `happened_on` is a day as YYYY-MM-DD or null."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType
    category: Category
    bank: str
    importance: Share
    happened_on: date | None


class Facts(BaseModel):
    model_config = ConfigDict(extra="forbid")

    facts: Annotated[list[Fact], Field(max_length=MAX_FACTS)]


class ModelExtractor:
    """Asks the model that the assistant uses, with no tools and no memory: what was recalled
    cannot be learned again. Raises what the run raises; the message then waits."""

    def __init__(
        self, model: Model, settings: ModelSettings, *, banks: Sequence[str], default_bank: str
    ) -> None:
        self._banks = {bank.casefold(): bank for bank in banks}
        self._default_bank = default_bank
        self._agent = Agent[None](
            name="Keepsake extraction",
            instructions=load_prompt("extract").replace("{banks}", ", ".join(banks)),
            model=model,
            model_settings=settings,
            output_type=Facts,
        )

    async def extract(self, said: Said) -> list[Candidate]:
        """What the model finds in the message, of which only the words reach it."""
        result = await Runner.run(
            self._agent, _question(said), max_turns=1, run_config=RunConfig(tracing_disabled=True)
        )
        facts = result.final_output_as(Facts).facts
        return [self._candidate(fact, said.said_at) for fact in facts]

    def _candidate(self, fact: Fact, said_at: datetime) -> Candidate:
        day = fact.happened_on
        return Candidate(
            content=fact.text.strip().rstrip("."),
            type=fact.type,
            category=fact.category,
            bank=self._banks.get(fact.bank.casefold(), self._default_bank),
            importance=fact.importance,
            occurred_at=_midnight(day, said_at),
        )


def _midnight(day: date | None, said_at: datetime) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), tzinfo=said_at.tzinfo)


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
