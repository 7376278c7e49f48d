from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.retrieval.service import PerModelRecall
from memory.types import MemoryQueryRequest, MemoryQueryResponse
from tests.memory.fakes import WordEmbedder

ASKED = MemoryQueryRequest(user_id="ada", query="tea")


class Recall:
    """Says by `total_count` which one it is."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        return MemoryQueryResponse(total_count=self._number)

    async def is_off(self, request: MemoryQueryRequest) -> bool:
        return False

    def refuse(
        self, request: MemoryQueryRequest, *, correlation_id: UUID | None = None
    ) -> MemoryQueryResponse:
        return MemoryQueryResponse(rate_limited=True)


async def test_each_model_has_its_own_and_it_is_made_once() -> None:
    made: list[Recall] = []

    def make() -> Recall:
        made.append(Recall(len(made) + 1))
        return made[-1]

    embedder = WordEmbedder()
    recalls = PerModelRecall[MemoryQueryRequest, MemoryQueryResponse](embedder, make)
    answers = []
    for model in ("one", "two", "one", "two"):
        embedder.model = model
        answers.append((await recalls.recall(ASKED)).total_count)
    assert answers == [2, 3, 2, 3]
    assert len(made) == 3  # with that of the model it began with
    assert recalls.refuse(ASKED).rate_limited
    assert not await recalls.is_off(ASKED)
