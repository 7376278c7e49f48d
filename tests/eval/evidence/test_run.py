from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from rich.progress import Progress

from eval.calibration.candidates import LabelledCandidate
from eval.corpus import Corpus, CorpusPiece, CorpusQuestion, StoredCorpus
from eval.datasets.evidence import EvidenceRun, RecallAnswer
from eval.system import System
from memory.types import MemoryItem, MemoryQueryResponse

NOW = datetime(2026, 5, 1, tzinfo=UTC)
FEATURES = ("x", "y")
Weights = Mapping[str, float] | None


def _corpus(name: str, *questions: CorpusQuestion) -> Corpus:
    return Corpus(name, (CorpusPiece("", "note", NOW, frozenset({"x"})),), questions, NOW)


def _questions(right: str, count: int = 10) -> list[CorpusQuestion]:
    return [
        CorpusQuestion(f"q{number}", "plain", right, frozenset({right})) for number in range(count)
    ]


@dataclass
class Taught:
    """Asking whose questions are answered by the candidate of the feature that they name."""

    asked: list[tuple[str, str, Weights]] = field(default_factory=list)

    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        covers = {name: frozenset({name}) for name in FEATURES}
        return StoredCorpus(f"{view}:{corpus.name}", covers)

    async def recall(
        self,
        corpus: Corpus,
        question: CorpusQuestion,
        stored: StoredCorpus,
        limit: int,
        weights: Weights,
    ) -> RecallAnswer:
        self.asked.append((corpus.name, question.id, weights))
        best = sorted(FEATURES, key=lambda name: -(weights or {}).get(name, 0.0))
        return MemoryQueryResponse(items=[_item(name) for name in [*best, "stranger"][:limit]])

    async def candidates(
        self, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> tuple[LabelledCandidate, ...]:
        return tuple(
            LabelledCandidate(
                {each: float(each == name) for each in FEATURES}, question.evidence & {name}
            )
            for name in FEATURES
        )

    def weights_of(self, corpus: str) -> list[Weights]:
        return [weights for name, _, weights in self.asked if name == corpus]


def _item(name: str) -> MemoryItem:
    return MemoryItem(
        id=name,
        content=name,
        type="note",
        relevance_score=0.5,
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=NOW,
        importance=0.5,
    )


@pytest.fixture
def asking() -> Taught:
    return Taught()


async def test_each_corpus_is_asked_with_what_the_others_teach(
    system: System, progress: Progress, asking: Taught
) -> None:
    corpora = [
        _corpus("odd", *_questions("y")),
        _corpus("one", *_questions("x")),
        _corpus("two", *_questions("x")),
    ]
    compared = await EvidenceRun(system, "v", corpora, asking).run(progress)
    shipped, fitted = _halves(asking.weights_of("odd"))
    assert set(shipped) == {None}
    assert all(weights is not None and weights["x"] > 1 > weights["y"] for weights in fitted)
    assert all(
        weights is not None and abs(weights["x"] - weights["y"]) < 0.01
        for weights in _halves(asking.weights_of("one"))[1]
    )
    assert [case.id for case in compared.shipped] == [case.id for case in compared.loco]
    assert {case.foreign for case in compared.loco} == {1}


def _halves(weights: Sequence[Weights]) -> tuple[Sequence[Weights], Sequence[Weights]]:
    half = len(weights) // 2
    return weights[:half], weights[half:]


async def test_a_category_and_what_is_not_stored_teach_nothing(
    system: System, progress: Progress, asking: Taught
) -> None:
    misleading = [
        CorpusQuestion("a", "wrong person", "y", frozenset({"y"})),
        CorpusQuestion("b", "plain", "z", frozenset({"z"})),
    ]
    corpora = [
        _corpus("one", *_questions("x"), *misleading * 50),
        _corpus("two", *_questions("x")),
    ]
    run = EvidenceRun(system, "v", corpora, asking, untaught="wrong person")
    compared = await run.run(progress)
    [*_, last] = asking.weights_of("two")
    assert last is not None
    assert last["x"] > 1
    assert last == asking.weights_of("one")[-1]
    missed = next(case for case in compared.shipped if case.id == "v/b")
    assert (missed.wanted, missed.unreachable) == (frozenset(), 1)


async def test_one_corpus_alone_is_asked_once(
    system: System, progress: Progress, asking: Taught
) -> None:
    compared = await EvidenceRun(system, "v", [_corpus("one", *_questions("x"))], asking).run(
        progress
    )
    assert len(compared.shipped) == 10
    assert compared.loco == []
