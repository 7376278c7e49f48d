from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.progress import Progress

from eval.calibrate import fit_all, load_sources
from eval.corpus import Corpus
from eval.errors import DatasetUnreadable
from eval.fitting import SHARES, fit_coefficients
from eval.pairs import load_pairs
from eval.system import System
from eval.training import LEG_SETS, Asked, Candidate, Gatherer
from memory.recall.relevance import Calibration, Coefficients, Evidence, log_odds

NOTHING = frozenset[str]()


def _candidate(cosine: float, *, helps: bool) -> Candidate:
    evidence = Evidence(
        cosine=cosine, best_cosine=0.9, bm25=None, best_bm25=None, coverage=None, best_coverage=None
    )
    return Candidate(evidence, frozenset("a") if helps else NOTHING)


def _asked(source: str, fold: str, times: int = 1) -> Asked:
    candidates = (_candidate(0.9, helps=True), *(_candidate(0.1, helps=False),) * 3) * times
    return Asked(source, fold, frozenset("a"), candidates)


def test_the_fit_prefers_what_helped() -> None:
    by = fit_coefficients([_asked("pairs", str(fold)) for fold in range(20)])
    near, far = _candidate(0.9, helps=True), _candidate(0.1, helps=False)
    assert log_odds(near.evidence, by) > 0 > log_odds(far.evidence, by)


def test_a_leg_that_did_not_answer_gets_no_coefficient() -> None:
    by = fit_coefficients([_asked("pairs", str(fold)) for fold in range(5)])
    assert (by.bm25, by.coverage) == (0.0, 0.0)


def test_a_source_weighs_its_share_whatever_its_size() -> None:
    pairs = [_asked("pairs", str(fold)) for fold in range(4)]
    turns = [Asked("turns", "c", frozenset("a"), (_candidate(0.5, helps=True),) * 16)]
    many = [Asked("turns", "c", frozenset("a"), (_candidate(0.5, helps=True),) * 160)]
    once, often = fit_coefficients(pairs + turns), fit_coefficients(pairs + many)
    assert once.model_dump() == pytest.approx(often.model_dump(), abs=1e-3)
    assert SHARES["pairs"] == SHARES["turns"] + SHARES["observations"]


def test_the_pairs_that_ship_are_whole() -> None:
    corpora = load_pairs()
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
        load_pairs(path)


def test_adversarial_questions_are_not_learned_from(tiny_locomo: Path) -> None:
    sources = load_sources(tiny_locomo)
    [turns] = sources["turns"]
    assert [question.id for question in turns.questions] == ["q1", "q2"]


async def test_coefficients_come_from_what_the_retriever_sees(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    sources = load_sources(tiny_locomo) | {"pairs": load_pairs()[:2]}
    training = await Gatherer(system).gather(sources, progress)
    assert set(training) == set(LEG_SETS)
    assert all(
        candidate.evidence.cosine is None
        for asked in training["keyword"]
        for candidate in asked.candidates
    )
    assert all(
        candidate.evidence.bm25 is None
        for asked in training["vector"]
        for candidate in asked.candidates
    )
    observed = [asked for asked in training["both"] if asked.source == "observations"]
    assert len(observed) == 1
    told = fit_all(training, 0.3)
    calibration = Calibration(**told["coefficients"])
    assert calibration.both.cosine > 0
    assert calibration.keyword.cosine == 0.0
    assert isinstance(calibration.vector, Coefficients)
    assert told["held_out"]["both, pairs"]["auc"] > 0.7
