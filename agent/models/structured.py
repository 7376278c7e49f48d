"""What a model does with structured output: re-ranking, the words of a roll-up, and the judgement
of a reply; `agent.models.model_reader` has the reading of a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.provider import model_settings
from memory.config import Settings
from memory.maintenance.summaries import Summariser
from memory.retrieval.reranking import Reranker
from prompts import load_prompt, quote_json

SENT_CHARS = 1000


class Rating(BaseModel):
    """`memory` is the number that the memory was sent under. Plain types alone, see
    `agent.models.model_reader.SegmentAnswer`."""

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
    asked = {
        "question": query,
        "memories": [
            {"memory": number, "content": content[:SENT_CHARS]}
            for number, content in enumerate(contents, start=1)
        ],
    }
    return f"<recall>\n{quote_json(asked)}\n</recall>"


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
            f"<memories>\n{quote_json(list(memories))}\n</memories>",
            max_turns=1,
            run_config=RunConfig(tracing_disabled=True),
        )
        return " ".join(result.final_output_as(Summary).summary.split())


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
