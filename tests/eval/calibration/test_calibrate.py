from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.progress import Progress

from eval.calibration.candidates import (
    LEG_COMBINATIONS,
    LabelledCandidate,
    LabelledQuestion,
    MemoryCandidateCollector,
)
from eval.calibration.data import load_calibration_pairs
from eval.calibration.fit import fit_all, fit_weights, predict_probability
from eval.corpus import Corpus
from eval.errors import DatasetUnreadable
from eval.system import System
from memory.retrieval.relevance import Calibration, Coefficients, MemoryEvidence

NOTHING = frozenset[str]()


def _candidate(cosine: float, *, helps: bool) -> LabelledCandidate:
    evidence = MemoryEvidence(
        cosine=cosine, best_cosine=0.9, bm25=None, best_bm25=None, coverage=None, best_coverage=None
    )
    return LabelledCandidate(evidence.features, frozenset("a") if helps else NOTHING)


def _asked(fold: str) -> LabelledQuestion:
    candidates = (_candidate(0.9, helps=True), *(_candidate(0.1, helps=False),) * 3)
    return LabelledQuestion(fold, frozenset("a"), candidates)


def test_the_fit_prefers_what_helped() -> None:
    by = fit_weights([_asked(str(fold)) for fold in range(20)])
    near, far = _candidate(0.9, helps=True), _candidate(0.1, helps=False)
    assert predict_probability(near.features, by) > 0.5
    assert predict_probability(far.features, by) < 0.5


def test_a_leg_that_did_not_answer_gets_no_coefficient() -> None:
    by = fit_weights([_asked(str(fold)) for fold in range(5)])
    assert (by["bm25"], by["coverage"]) == (0.0, 0.0)


def test_the_pairs_that_ship_are_whole() -> None:
    corpora = load_calibration_pairs()
    assert len(corpora) >= 10
    assert all(q.evidence <= _held(corpus) for corpus in corpora for q in corpus.questions)
    assert any(not question.evidence for corpus in corpora for question in corpus.questions)


def _held(corpus: Corpus) -> frozenset[str]:
    return NOTHING.union(*(piece.evidence for piece in corpus.pieces))


def test_pairs_that_point_nowhere_are_refused(tmp_path: Path) -> None:
    store = {
        "name": "s",
        "memories": [{"content": "x", "type": "fact"}],
        "queries": [{"query": "q", "relevant": [1]}],
    }
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps({"version": "1", "stores": [store, store]}), encoding="utf-8")
    with pytest.raises(DatasetUnreadable, match="s has no memory 1"):
        load_calibration_pairs(path)


async def test_coefficients_come_from_what_the_retriever_sees(
    system: System, progress: Progress
) -> None:
    training = await MemoryCandidateCollector(system).gather(load_calibration_pairs()[:2], progress)
    assert set(training) == set(LEG_COMBINATIONS)
    assert all(
        candidate.features["cosine"] == 0
        for asked in training["keyword"]
        for candidate in asked.candidates
    )
    assert all(
        candidate.features["bm25"] == 0
        for asked in training["vector"]
        for candidate in asked.candidates
    )
    told = fit_all(training, 0.3)
    calibration = Calibration(**told["coefficients"])
    assert calibration.both.cosine > 0
    assert calibration.keyword.cosine == 0.0
    assert isinstance(calibration.vector, Coefficients)
    assert told["held_out"]["both"]["auc"] > 0.7
