"""Re-ranking by a model: a relevance for each of the best candidates of a recall."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from agents import Agent, AgentOutputSchema, Model, ModelSettings, RunConfig, Runner
from pydantic import BaseModel

from agent.models.model import model_settings
from memory.recall.choice.reranking import Reranker
from memory.settings import Settings
from prompts import load_prompt

SENT_CHARS = 1000


class Rating(BaseModel):
    """`memory` is the number that the memory was sent under. Plain types alone, see
    `agent.models.extraction.Fact`."""

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
            _question(query, [content for _, content in candidates]),
            max_turns=1,
            run_config=RunConfig(tracing_disabled=True),
        )
        ids = dict(enumerate((item_id for item_id, _ in candidates), start=1))
        ratings = result.final_output_as(Ratings).ratings
        return {ids[each.memory]: each.relevance for each in ratings if each.memory in ids}


def _question(query: str, contents: Sequence[str]) -> str:
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
