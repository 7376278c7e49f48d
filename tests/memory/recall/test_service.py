from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from memory.cache import NullCache, RateLimiter
from memory.config import LOCAL_DIMENSIONS
from memory.embeddings.model_switch import ActiveEmbedder, ModelSwitch
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import DatabaseUnavailable
from memory.metrics import MemoryMetrics
from memory.retrieval.memory_retriever import MemoryRetriever
from memory.retrieval.message_relevance import MessageCalibration, MessageCoefficients
from memory.retrieval.message_retriever import MessageRetriever
from memory.retrieval.relevance import Calibration, Coefficients
from memory.retrieval.service import RecallOutcome, RecallService
from memory.store.database import Access
from memory.store.spaces import SpaceSettingsStore
from memory.types import (
    EmbeddingModel,
    EmbeddingProfile,
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
)
from tests.memory.fakes import WordEmbedder
from tests.memory.recall.bench import (
    TEXTS,
    Bench,
    memory_retriever,
    message_retriever,
    recall_service,
)
from tests.memory.recall.messages.said import Talk

ASKED = MemoryQueryRequest(user_id="ada", query="tea")
FOUND = MemoryQueryResponse(total_count=7, token_count=7)


class Memories(MemoryRetriever):
    """Answers as it is told, and notes that it was asked."""

    def __init__(self, answer: MemoryQueryResponse | Exception = FOUND) -> None:
        self.answer = answer
        self.asked = 0

    async def recall(self, *_: Any, **__: Any) -> MemoryQueryResponse:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Messages(MessageRetriever):
    def __init__(self) -> None:
        pass

    async def recall(self, *_: Any, **__: Any) -> MessageQueryResponse:
        raise DatabaseUnavailable(reason="it is a test")


class Modes(SpaceSettingsStore):
    """Where memory is `off`, or nobody answers that (None)."""

    def __init__(self, *, off: bool | None) -> None:
        self._off = off

    async def is_off(self, user_id: str, space: str) -> bool:
        if self._off is None:
            await asyncio.Event().wait()
        return bool(self._off)


class Spent(RateLimiter):
    """Of a user who has asked too often."""

    async def allow(self, user_id: str) -> bool:
        return False


class Recalling:
    def __init__(
        self,
        memories: Memories | None = None,
        *,
        off: bool | None = False,
        access: Access = "write",
        limiter: type[RateLimiter] = RateLimiter,
    ) -> None:
        self.memories = memories or Memories()
        self.counters = MemoryMetrics()
        self.service = RecallService(
            self.memories,
            Messages(),
            Modes(off=off),
            access,
            limiter(NullCache(), 0),
            fingerprint=lambda _: "print",
            timeout=0.05 if off is None else 30.0,
            counters=self.counters,
        )

    def counted(self, outcome: RecallOutcome) -> tuple[float | None, float]:
        """How many recalls were counted so, and how many were timed."""
        read, kind = self.counters.registry.get_sample_value, {"kind": "memories"}
        counted = read("keepsake_recalls_total", {**kind, "outcome": outcome})
        return counted, read("keepsake_recall_seconds_count", kind) or 0


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (FOUND, "nothing"),
        (MemoryQueryResponse(degraded=("vector",)), "degraded"),
        (MemoryQueryResponse(error=True, degraded=("keyword", "vector")), "failed"),
    ],
)
async def test_an_answer_is_counted_and_timed_by_what_came_of_it(
    answer: MemoryQueryResponse, outcome: RecallOutcome
) -> None:
    made = Recalling(Memories(answer))
    assert await made.service.recall(ASKED) is answer
    assert made.counted(outcome) == (1, 1)
    read = made.counters.registry.get_sample_value
    assert read("keepsake_recalled_tokens_total", {"kind": "memories"}) == answer.token_count


@pytest.mark.parametrize("held", [{"off": True}, {"access": "none", "off": None}])
async def test_where_memory_is_off_nothing_is_searched_timed_or_logged(held: Any) -> None:
    made = Recalling(**held)
    with capture_logs() as logs:
        assert await made.service.recall(ASKED) == MemoryQueryResponse(off=True)
    assert (made.memories.asked, logs, made.counted("off")) == (0, [], (1, 0))


async def test_above_the_limit_nothing_is_searched_or_timed_and_that_is_logged() -> None:
    made = Recalling(limiter=Spent)
    with capture_logs() as logs:
        assert await made.service.recall(ASKED) == MemoryQueryResponse(rate_limited=True)
    assert (made.memories.asked, made.counted("rate limited")) == (0, (1, 0))
    assert [(each["event"], each["rate_limited"]) for each in logs] == [("recall", True)]


async def test_whether_memory_is_off_is_not_waited_for() -> None:
    async with asyncio.timeout(60):
        assert await Recalling(off=None).service.recall(ASKED) is FOUND


async def test_whatever_breaks_the_answer_is_empty_and_says_so() -> None:
    made = Recalling(Memories(ValueError("tea")))
    with capture_logs() as logs:
        answer = await made.service.recall(ASKED)
        said = await made.service.recall_messages(MessageQueryRequest(user_id="ada", query="tea"))
    assert answer == MemoryQueryResponse(error=True, degraded=("keyword", "vector"))
    assert said == MessageQueryResponse(error=True, degraded=("keyword", "vector"))
    assert made.counted("failed") == (1, 1)
    events = ["recall_failed", "recall", "message_recall_failed", "message_recall"]
    assert [each["event"] for each in logs] == events
    assert "tea" not in str(logs)


NEW = EmbeddingModel("new", LOCAL_DIMENSIONS)


class Swapped(WordEmbedder):
    """While it embeds a question the vectors are swapped for those of `NEW`."""

    def __init__(self) -> None:
        super().__init__()
        self._profile = EmbeddingProfile(EmbeddingModel(self.model, self.dimensions), NEW)

    async def profile(self) -> EmbeddingProfile:
        return self._profile

    async def embed_query(self, text: str) -> Embedding:
        self._profile = EmbeddingProfile(NEW)
        return await super().embed_query(text)


async def swapped_meanwhile() -> Embedder:
    def open_new(model: EmbeddingModel) -> Embedder:
        opened = WordEmbedder()
        opened.model = model.name
        return opened

    first = Swapped()
    switch = ModelSwitch(first, open_new, first.profile)
    await switch.look()
    return ActiveEmbedder(switch)


def odds_of(model: str) -> float:
    """Everything helps by the new model's calibration, nothing by the old one's."""
    return 9.0 if model == NEW.name else -9.0


def of_memories(model: str) -> Calibration:
    by = Coefficients(intercept=odds_of(model))
    return Calibration(both=by, keyword=by, vector=by)


def of_messages(model: str) -> MessageCalibration:
    by = MessageCoefficients(intercept=odds_of(model))
    return MessageCalibration(both=by, keyword=by, vector=by)


async def test_a_model_swapped_meanwhile_is_weighed_by_its_own_calibration(bench: Bench) -> None:
    await Talk(bench.database, bench.user_id).say(("user", TEXTS[0]))
    recalls = recall_service(
        bench.database,
        memory_retriever(
            bench.database, bench.counter, await swapped_meanwhile(), calibrate=of_memories
        ),
        message_retriever(
            bench.database,
            bench.counter,
            embedder=await swapped_meanwhile(),
            calibrate=of_messages,
        ),
    )
    asked = MessageQueryRequest(user_id=bench.user_id, query="uv or pip", min_score=0.9)
    assert (await recalls.recall(bench.asking("uv or pip", min_score=0.9))).total_count == 3
    assert (await recalls.recall_messages(asked)).total_count == 1
