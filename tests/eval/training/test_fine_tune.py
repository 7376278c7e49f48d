"""Fitting the encoder's upper layers, where what fits them is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.understanding.fine_tuned_encoder import load_fine_tuned

from eval.training.data import LabelledFamily, load_labelled_families
from memory.understanding.relations import RELATIONS

MADE_UP = [
    LabelledFamily.model_validate({"language": "en", "writer": "a", "old": old, "new": new})
    for old, new in (
        (
            "I live in Bergen",
            [
                {"text": "I moved to Oslo", "relation": "replaces"},
                {"text": "I do live in Bergen", "relation": "repeats"},
                {"text": "Tom lives in Rome", "relation": "other"},
            ],
        ),
        (
            "I play the tuba",
            [
                {"text": "I gave up the tuba", "relation": "ends"},
                {"text": "my tuba is silver", "relation": "adds"},
                {"text": "the flute is hers", "relation": "other"},
            ],
        ),
    )
]


def test_a_fit_of_two_steps_gives_weights_that_load_and_answer(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    pytest.importorskip("onnx")
    from eval.training import fine_tune, relations

    path = tmp_path / "relations.npz"
    pairs = relations.relation_examples(MADE_UP)
    weights = relations.fit_relations(pairs, fine_tune.Recipe(epochs=2))
    fine_tune.save_trained(weights, path)
    told = load_fine_tuned(path).probabilities([(each.old, each.new) for each in pairs])
    assert told.shape == (6, len(RELATIONS))
    assert told.sum(axis=1) == pytest.approx(1, abs=1e-5)
    shipped = fine_tune.load_weights()
    changed = {name for name, values in shipped.items() if (weights[name] != values).any()}
    assert changed == {name for name in shipped if fine_tune.is_trained(name)}


def test_every_pair_stands_to_another_text() -> None:
    families = load_labelled_families()
    assert len(families) > 600
    assert all(each.text != family.old for family in families for each in family.new)
