"""A second opinion: when it is asked for, and what becomes of one that fails."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from memory.metrics import MemoryMetrics
from memory.retrieval.reranking import MOST_SENT, RatedCandidate, Reranker, Reranking

SISTER = RatedCandidate("a", "My sister lives in Oslo", 0.5)
TEA = RatedCandidate("b", "I like tea", 0.4)
QUESTION = "where does my sister live"


class Saying:
    """Answers as it is told, or raises; keeps what it was asked."""

    def __init__(self, said: Mapping[str, float] | Exception) -> None:
        self.said = said
        self.asked: list[tuple[str, list[tuple[str, str]]]] = []

    async def rerank(
        self, query: str, candidates: Sequence[tuple[str, str]]
    ) -> Mapping[str, float]:
        self.asked.append((query, list(candidates)))
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


class Silent:
    async def rerank(
        self, query: str, candidates: Sequence[tuple[str, str]]
    ) -> Mapping[str, float]:
        await asyncio.Event().wait()
        return {}


class Counted:
    """A step with its counters."""

    def __init__(self, reranker: Reranker | None, timeout: float = 30.0) -> None:
        self._counters = MemoryMetrics()
        self.step = Reranking(reranker, self._counters, timeout=timeout)

    def count(self, name: str, **labels: str) -> float:
        found = self._counters.registry.get_sample_value(f"keepsake_{name}_total", labels)
        return found or 0.0


async def test_what_the_model_says_takes_the_place_of_the_probability() -> None:
    saying = Saying({"b": 0.95})
    counted = Counted(saying)
    assert await counted.step.rate(QUESTION, [SISTER, TEA]) == {"a": 0.5, "b": 0.95}
    assert saying.asked == [(QUESTION, [("a", SISTER.content), ("b", TEA.content)])]
    assert counted.count("rerank_calls") == 1
    assert counted.count("rerank_failures") == 0


async def test_without_a_reranker_nothing_changes_and_nothing_is_counted() -> None:
    counted = Counted(None)
    assert await counted.step.rate(QUESTION, [SISTER, TEA]) == {"a": 0.5, "b": 0.4}
    assert await counted.step.rate(QUESTION, []) == {}
    assert counted.count("rerank_calls") == 0
    assert counted.count("rerank_calls_saved", reason="nothing") == 0


@pytest.mark.parametrize(
    ("probabilities", "calls"), [((0.93, 0.99), 0), ((0.929, 0.99), 1), ((), 0)]
)
async def test_no_call_is_made_where_all_are_sure_or_there_is_nothing(
    probabilities: tuple[float, ...], calls: int
) -> None:
    saying = Saying({})
    counted = Counted(saying)
    candidates = [
        RatedCandidate(str(place), "tea", each) for place, each in enumerate(probabilities)
    ]
    await counted.step.rate(QUESTION, candidates)
    assert len(saying.asked) == counted.count("rerank_calls") == calls
    saved = {name: counted.count("rerank_calls_saved", reason=name) for name in ("sure", "nothing")}
    assert saved == {"sure": len(probabilities) > 0 and not calls, "nothing": not probabilities}


async def test_the_best_are_sent_and_the_rest_keep_what_they_had() -> None:
    many = [RatedCandidate(str(place), "tea", place / 100) for place in range(MOST_SENT + 5)]
    saying = Saying({"0": 1.0, str(MOST_SENT): 0.0})
    said = await Counted(saying).step.rate(QUESTION, many)
    [(_, sent)] = saying.asked
    assert [name for name, _ in sent] == [str(place) for place in range(MOST_SENT + 4, 4, -1)]
    assert said["0"] == 0.0  # it was not sent, so what is said of it counts for nothing
    assert said[str(MOST_SENT)] == 0.0
    assert said["24"] == 0.24


@pytest.mark.parametrize(
    "said",
    [RuntimeError("the sister"), TimeoutError(), {"a": 1.2}, {"a": -0.1}, {"a": math.nan}],
    ids=str,
)
async def test_a_failure_or_nonsense_leaves_everything_as_it_was(
    said: Mapping[str, float] | Exception,
) -> None:
    counted = Counted(Saying(said if isinstance(said, Exception) else {"b": 0.9, **said}))
    with structlog.testing.capture_logs() as logs:
        assert await counted.step.rate(QUESTION, [SISTER, TEA]) == {"a": 0.5, "b": 0.4}
    assert counted.count("rerank_failures") == 1
    assert [each["event"] for each in logs] == ["not_reranked"]
    assert "sister" not in str(logs)


async def test_one_that_does_not_answer_is_not_waited_for() -> None:
    counted = Counted(Silent(), timeout=0.01)
    assert await counted.step.rate(QUESTION, [SISTER]) == {"a": 0.5}
    assert counted.count("rerank_failures") == 1


async def test_a_cancelled_recall_is_not_held_up() -> None:
    task = asyncio.create_task(Counted(Silent()).step.rate(QUESTION, [SISTER]))
    await asyncio.wait([task], timeout=0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


SHARES = st.floats(0, 1)


@given(
    before=st.dictionaries(st.text(max_size=3), SHARES, max_size=30),
    said=st.dictionaries(st.text(max_size=3), st.floats(), max_size=30),
)
def test_every_candidate_keeps_a_probability_and_none_is_added(
    before: dict[str, float], said: dict[str, float]
) -> None:
    candidates = [RatedCandidate(name, "tea", value) for name, value in before.items()]
    after = asyncio.run(Counted(Saying(said)).step.rate(QUESTION, candidates))
    assert set(after) == set(before)
    assert all(0 <= value <= 1 for value in after.values())
