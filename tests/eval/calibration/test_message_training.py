from __future__ import annotations

from rich.progress import Progress

from eval.calibration.candidates import (
    LEG_COMBINATIONS,
    LabelledCandidate,
    LabelledQuestion,
    MessageCandidateCollector,
)
from eval.calibration.data import load_dialogues
from eval.calibration.fit import fit_all, fit_weights, predict_held_out, predict_probability
from eval.system import System
from memory.retrieval.message_relevance import MessageCalibration


async def test_coefficients_come_from_what_the_recall_over_messages_sees(
    system: System, progress: Progress
) -> None:
    training = await MessageCandidateCollector(system).gather(load_dialogues()[:2], progress)
    assert set(training) == set(LEG_COMBINATIONS)
    assert _highest(training["both"], "cosine") > 0
    assert _highest(training["both"], "bm25") > 0
    assert _highest(training["keyword"], "cosine") == 0
    assert _highest(training["vector"], "bm25") == 0
    told = fit_all(training, 0.3)
    calibration = MessageCalibration(**told["coefficients"])
    assert calibration.keyword.cosine == 0.0
    assert calibration.vector.bm25 == 0.0
    assert told["held_out"]["both"]["auc"] > 0.7


def _highest(asked: list[LabelledQuestion], feature: str) -> float:
    return max(candidate.features[feature] for each in asked for candidate in each.candidates)


def _asked(fold: str, *, right: str) -> LabelledQuestion:
    """Two candidates, of which the one that has the feature `right` helps."""
    return LabelledQuestion(
        fold,
        frozenset("a"),
        tuple(
            LabelledCandidate(
                {name: float(name == of) for name in ("x", "y")}, frozenset("a" * (of == right))
            )
            for of in ("x", "y")
        ),
    )


def test_a_fold_is_judged_by_what_the_others_teach_alone() -> None:
    odd = _asked("odd", right="y")
    others = [_asked(str(number), right="x") for number in range(20)]
    judged = predict_held_out([odd, *others])
    assert [each.asked for each in judged] == [odd, *others]
    of_x, of_y = judged[0].probabilities
    assert of_x > 0.9
    assert of_y < 0.1


def test_nothing_to_learn_from_is_no_weight() -> None:
    assert (
        predict_probability({"x": 1.0}, fit_weights([LabelledQuestion("a", frozenset("a"), ())]))
        == 0.5
    )
