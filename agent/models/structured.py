"""What a model does with structured output: extraction, re-ranking, the words of a roll-up, and the
judgement of a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time

import structlog
from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.provider import model_settings
from memory.config import Settings
from memory.dates import resolve_dates
from memory.ingestion.classification import match_bank
from memory.ingestion.extraction import ExtractionInput, Extractor, MemoryCandidate
from memory.maintenance.summaries import Summariser
from memory.retrieval.reranking import Reranker
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

    async def extract(self, said: ExtractionInput) -> list[MemoryCandidate]:
        """What the model finds in the message, of which only the words reach it: the first
        MAX_FACTS, without those that are not as they should be."""
        result = await Runner.run(
            self._agent,
            _extraction_question(said),
            max_turns=1,
            run_config=RunConfig(tracing_disabled=True),
        )
        facts = result.final_output_as(Facts).facts
        found = [self._candidate(fact, said.said_at) for fact in facts[:MAX_FACTS]]
        kept = [each for each in found if each is not None]
        if len(kept) < len(facts):
            _log.warning("facts_left_out", count=len(facts) - len(kept))
        return kept

    def _candidate(self, fact: Fact, said_at: datetime) -> MemoryCandidate | None:
        """None for a fact whose type, category, importance, day or length is none."""
        content, dated = resolve_dates(fact.text.strip().rstrip("."), said_at)
        try:
            return MemoryCandidate.model_validate(
                {
                    "content": content,
                    "type": fact.type,
                    "category": fact.category,
                    "bank": match_bank(fact.bank, self._banks) or self._default_bank,
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


def _extraction_question(said: ExtractionInput) -> str:
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


SENT_CHARS = 1000


class Rating(BaseModel):
    """`memory` is the number that the memory was sent under. Plain types alone, see
    `agent.models.structured.Fact`."""

    memory: int
    relevance: float


class Ratings(BaseModel):
    ratings: list[Rating]


class ModelReranker:
    """Asks the model that the assistant uses, with no tools and no history. Raises what the run
    raises; see `Reranking` for what comes then."""

    def __init__(self, model: Model, settings: ModelSettings) -> None:
        self._agent = Agent[None](
            name="Keepsake re-ranking",
            instructions=load_prompt("rerank"),
            model=model,
            model_settings=settings,
            output_type=AgentOutputSchema(Ratings),
        )

    async def rerank(
        self, query: str, candidates: Sequence[tuple[str, str]]
    ) -> Mapping[str, float]:
        """Of each candidate its first SENT_CHARS characters reach the model, under a number in the
        place of its id; numbers that were not given out are left aside."""
        result = await Runner.run(
            self._agent,
            _rerank_question(query, [content for _, content in candidates]),
            max_turns=1,
            run_config=RunConfig(tracing_disabled=True),
        )
        ids = dict(enumerate((item_id for item_id, _ in candidates), start=1))
        ratings = result.final_output_as(Ratings).ratings
        return {ids[each.memory]: each.relevance for each in ratings if each.memory in ids}


def _rerank_question(query: str, contents: Sequence[str]) -> str:
    """Question and memories as JSON, whose strings cannot close a tag."""
    asked = {
        "question": query,
        "memories": [
            {"memory": number, "content": content[:SENT_CHARS]}
            for number, content in enumerate(contents, start=1)
        ],
    }
    text = json.dumps(asked, ensure_ascii=False)
    quoted = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<recall>\n{quoted}\n</recall>"


def make_reranker(model: Model, settings: Settings) -> Reranker | None:
    """None where it is not wanted or no model is configured."""
    wanted = settings.rerank and settings.has_model
    return ModelReranker(model, model_settings(settings)) if wanted else None


class Summary(BaseModel):
    summary: str


class ModelSummariser:
    """Asks the model that the assistant uses, with no tools and no memory. Raises what the run
    raises; see `SummaryWriter` for what comes then, and for how its words are checked."""

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
            _summary_question(memories),
            max_turns=1,
            run_config=RunConfig(tracing_disabled=True),
        )
        return " ".join(result.final_output_as(Summary).summary.split())


def _summary_question(memories: Sequence[str]) -> str:
    """The memories as JSON, whose strings cannot close a tag."""
    text = json.dumps(list(memories), ensure_ascii=False)
    quoted = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<memories>\n{quoted}\n</memories>"


def make_summariser(model: Model, settings: Settings) -> Summariser | None:
    """None where no model is configured: the sentences of the memories are taken then."""
    return ModelSummariser(model, model_settings(settings)) if settings.has_model else None


class Judgement(BaseModel):
    """See `prompts/judge.md` for what each of them means."""

    solves: bool
    cites: bool
    invents: bool
    why: str


class ModelJudge:
    """Whether a reply solved its task, and cited its memory as it should (SC-005 of specification
    001). Asks the model that the assistant uses, with no tools and no memory. Raises what the run
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
