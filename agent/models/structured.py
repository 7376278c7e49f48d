"""What a model does with structured output: re-ranking, and the words of a roll-up;
`agent.models.model_reader` has the reading of a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.provider import model_settings
from memory.config import Settings
from memory.maintenance.summaries import Summariser
from memory.retrieval.reranking import Reranker
from prompts import load_prompt, quote_json

SENT_CHARS = 1000
Output = TypeVar("Output", bound=BaseModel)


class StructuredModel(Generic[Output]):
    """Asks the model that the assistant uses for an `output`, as the `prompt` of that name says,
    with no tools, no history and no memory. The output has plain types alone, see
    `agent.models.model_reader.SegmentAnswer`."""

    def __init__(
        self, name: str, prompt: str, output: type[Output], model: Model, settings: ModelSettings
    ) -> None:
        self._output = output
        self._agent = Agent[None](
            name=name,
            instructions=load_prompt(prompt),
            model=model,
            model_settings=settings,
            output_type=AgentOutputSchema(output),
        )

    async def ask(self, text: str) -> Output:
        """Raises what the run raises."""
        result = await Runner.run(
            self._agent, text, max_turns=1, run_config=RunConfig(tracing_disabled=True)
        )
        return result.final_output_as(self._output)


class Rating(BaseModel):
    """`memory` is the number that the memory was sent under."""

    memory: int
    relevance: float


class Ratings(BaseModel):
    ratings: list[Rating]


class ModelReranker:
    """Raises what the run raises; see `Reranking` for what comes then."""

    def __init__(self, model: Model, settings: ModelSettings) -> None:
        self._model = StructuredModel("Keepsake re-ranking", "rerank", Ratings, model, settings)

    async def rerank(
        self, query: str, candidates: Sequence[tuple[str, str]]
    ) -> Mapping[str, float]:
        """Of each candidate its first SENT_CHARS characters reach the model, under a number in the
        place of its id; numbers that were not given out are left aside."""
        asked = _rerank_question(query, [content for _, content in candidates])
        ids = dict(enumerate((item_id for item_id, _ in candidates), start=1))
        ratings = (await self._model.ask(asked)).ratings
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
    """Raises what the run raises; see `SummaryWriter` for what comes then, and for how its words
    are checked."""

    def __init__(self, model: Model, settings: ModelSettings) -> None:
        self._model = StructuredModel("Keepsake roll-up", "roll_up", Summary, model, settings)

    async def summarise(self, memories: Sequence[str]) -> str:
        """One paragraph for the memories, which are in order, the newest last."""
        told = await self._model.ask(f"<memories>\n{quote_json(list(memories))}\n</memories>")
        return " ".join(told.summary.split())


def make_summariser(model: Model, settings: Settings) -> Summariser | None:
    """None where no model is configured: the sentences of the memories are taken then."""
    return ModelSummariser(model, model_settings(settings)) if settings.has_model else None
