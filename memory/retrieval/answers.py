"""The probability that a memory answers a question by itself, which is more than being about the
same: "When did Lena and I marry?" is about "my wife Lena is a surveyor" and not answered by it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import structlog

from memory.retrieval.relevance import (
    Calibration,
    MemoryEvidence,
    log_odds,
    log_odds_of,
    sigmoid,
)
from memory.types import Confidence
from memory.understanding.cross_encoder import CrossEncoder, PairLogits, load_cross_encoder

# So many of the likeliest are read together with the question, some 10 ms each.
MOST_READ = 8
# A longer wait is not worth a second opinion, in seconds.
TIMEOUT = 3.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ConfidenceBounds:
    """From which probability an answer may be said as it is, and from which with a doubt."""

    high: float = 0.8
    possible: float = 0.1

    def least(self, confidence: Confidence) -> float:
        """The probability from which an answer has this confidence."""
        return {"high": self.high, "possible": self.possible, "related": 0.0}[confidence]

    def confidence(self, answers: float) -> Confidence:
        if answers >= self.high:
            return "high"
        return "possible" if answers >= self.possible else "related"


def answer_probability(
    evidence: MemoryEvidence,
    read: PairLogits | None,
    calibration: Calibration,
    gained: float = 0.0,
) -> float:
    """In [0, 1]; `read` is None where the memory was not read together with the question, `gained`
    the log-odds of being of the time that was asked for. 0 where neither leg answered."""
    if read is None:
        odds = log_odds_of(evidence, calibration.unread)
        return 0.0 if odds is None else sigmoid(odds + gained)
    by = calibration.read.of(evidence)
    if by is None:
        return 0.0
    said = by.answers * read.answers + by.related * read.related
    return sigmoid(log_odds(evidence, by) + said + gained)


class AnswerReader:
    """Reads the likeliest memories together with the question, on a thread of its own, with a
    network that is loaded at the first or by `preload`. Where it fails or takes too long, none is
    read: that costs an opinion and never the recall."""

    def __init__(self, load: Callable[[], CrossEncoder] = load_cross_encoder) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cross-encoder")

    def preload(self) -> None:
        """Loads the network behind the caller's back; a fault shows at the first question."""
        self._thread.submit(self._load)

    def close(self) -> None:
        """What is still read is not waited for; what is asked from now on is not read."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def read(self, query: str, memories: Sequence[str]) -> list[PairLogits | None]:
        """Of each memory in their order."""
        if not memories:
            return []
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(TIMEOUT):
                return await loop.run_in_executor(
                    self._thread, lambda: self._load().read(query, memories)
                )
        except Exception as error:
            _log.warning("answers_not_read", reason=type(error).__name__)
            return [None] * len(memories)
