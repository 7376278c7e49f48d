from __future__ import annotations

from eval.calibration.candidates import (
    LEG_COMBINATIONS,
    LabelledCandidate,
    LabelledQuestion,
    TrainingData,
)
from eval.tuning.ablation import (
    FEATURES,
    MESSAGE_FEATURES,
    REFITTED,
    VIEWS,
    memory_parts,
    message_parts,
)
from eval.tuning.grid import RecallSetting
from eval.tuning.replay import shipped_calibrations
from memory.config import LOCAL_MODEL
from memory.retrieval.message_relevance import MessageCoefficients
from memory.retrieval.relevance import Coefficients

BY = shipped_calibrations(LOCAL_MODEL)
KNOWN = frozenset("a")


def _training(names: list[str]) -> TrainingData:
    """Every feature says which candidate helps."""
    candidates = (
        LabelledCandidate(dict.fromkeys(names, 1.0), KNOWN),
        LabelledCandidate(dict.fromkeys(names, 0.0), frozenset()),
    )
    asked = [LabelledQuestion(str(fold), KNOWN, candidates) for fold in range(10)]
    return dict.fromkeys(LEG_COMBINATIONS, asked)


def _names(model: type[Coefficients | MessageCoefficients]) -> list[str]:
    return [name for name in model.model_fields if name != "intercept"]


def test_a_refit_has_no_weight_for_what_it_never_saw() -> None:
    told = memory_parts(RecallSetting(), BY, _training(_names(Coefficients)))
    by_name = {part.name: part.calibrations.memories.both for part in told}
    assert by_name["refitted, with all features"].coverage > 0
    for name, without in FEATURES.items():
        weights = by_name[f"refitted, without {name}"].model_dump()
        assert {weights[feature] for feature in without} == {0.0}
        assert any(weights[feature] > 0 for feature in _names(Coefficients))


def test_a_refit_is_compared_with_the_refit_that_has_everything() -> None:
    told = memory_parts(RecallSetting(), BY, _training(_names(Coefficients)))
    assert told[0].calibrations == BY
    assert told[REFITTED].name == "refitted, with all features"
    assert {part.against for part in told if "refitted, without" in part.name} == {REFITTED}
    assert {part.against for part in told if "refitted" not in part.name} == {0}


def test_every_feature_of_the_models_can_be_taken_away() -> None:
    for features, model in ((FEATURES, Coefficients), (MESSAGE_FEATURES, MessageCoefficients)):
        assert {name for names in features.values() for name in names} == set(_names(model))


def test_a_rule_is_turned_the_other_way_and_each_view_is_there() -> None:
    default = RecallSetting().but(beta=0.5)
    told = {part.name: part for part in memory_parts(default, BY, _training(["cosine"]))}
    assert told["without recency"].policy.ranking.beta == 0.0
    assert told["with importance"].policy.ranking.gamma > 0
    assert told["with MMR"].policy.diversity > 0
    assert not told["without the cut by names"].policy.people
    assert {part.view for part in told.values()} == set(VIEWS)


def test_messages_have_parts_of_their_own() -> None:
    told = message_parts(RecallSetting(), BY, _training(_names(MessageCoefficients)))
    names = [part.name for part in told]
    assert "refitted, without the message before" in names
    assert "with MMR" not in names
    assert told[0].calibrations == BY
