"""Fits what tells how a new text stands to an older one of the same person, and measures it on
writers that it has not read."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from eval.training.data import LabelledFamily
from eval.training.fine_tune import (
    Recipe,
    TokenRows,
    Weights,
    as_packaged,
    fine_tune,
    recall_at_precision,
    save_trained,
    tokenise_rows,
)
from memory.embeddings.local import load_minilm
from memory.understanding.fine_tuned_encoder import FineTunedEncoder
from memory.understanding.relations import FILE, RELATIONS, Relation

# Examples that are made in each epoch, as shares of the written pairs.
_DRAWN, _SAME_AGAIN, _NEAR = 0.2, 0.06, 0.5
# So many of the nearest olds of other families, from this cosine on.
_NEAREST, _NEAR_FROM = 4, 0.25
# Words shorter than this are typed without a slip.
_LONG = 4
# Measured on these two; every other writer is read.
HELD_OUT = frozenset({"q2", "q6"})
_PRECISIONS = (0.95, 0.9, 0.8)


@dataclass(frozen=True)
class RelationExample:
    """What was said before and what is said now."""

    old: str
    new: str
    relation: Relation
    writer: str
    language: str

    def other(self, old: str, new: str) -> RelationExample:
        """Two texts that have nothing to do with each other, by the same writer."""
        return RelationExample(old, new, "other", self.writer, self.language)


# For a writer's new text the olds that a search would find near it.
Near = Mapping[tuple[str, str], Sequence[str]]


def relation_examples(families: Sequence[LabelledFamily]) -> list[RelationExample]:
    return [
        RelationExample(family.old, each.text, each.relation, family.writer, family.language)
        for family in families
        for each in family.new
    ]


def unrelated_pairs(
    pairs: Sequence[RelationExample], share: float, rng: random.Random
) -> list[RelationExample]:
    """Old and new from different families of one writer and language."""
    beside: dict[tuple[str, str], list[RelationExample]] = {}
    for pair in pairs:
        beside.setdefault((pair.writer, pair.language), []).append(pair)
    made = []
    for pair in _some(pairs, share, rng):
        rest = [each for each in beside[pair.writer, pair.language] if each.old != pair.old]
        if rest:
            made.append(pair.other(pair.old, rng.choice(rest).new))
    return made


def near_olds(pairs: Sequence[RelationExample]) -> Near:
    """By the shipped encoder, among the writer's other families of the same language."""
    vectors = _vectors({text for pair in pairs for text in (pair.old, pair.new)})
    groups: dict[tuple[str, str], list[RelationExample]] = {}
    for pair in pairs:
        groups.setdefault((pair.writer, pair.language), []).append(pair)
    near = {}
    for group in groups.values():
        olds = list(dict.fromkeys(pair.old for pair in group))
        rows = np.array([vectors[old] for old in olds])
        touched: dict[str, list[int]] = {}
        for pair in group:
            touched.setdefault(pair.new, []).append(olds.index(pair.old))
        for pair in group:
            cosines = rows @ vectors[pair.new]
            cosines[touched[pair.new]] = -1
            nearest = np.argsort(-cosines)[:_NEAREST]
            chosen = [olds[at] for at in nearest if cosines[at] > _NEAR_FROM]
            near[pair.writer, pair.new] = chosen
    return near


def _vectors(texts: set[str]) -> dict[str, Any]:
    model, batch = load_minilm(), 16
    ordered = sorted(texts, key=lambda each: (len(each), each))
    vectors: dict[str, Any] = {}
    for start in range(0, len(ordered), batch):
        some = ordered[start : start + batch]
        vectors |= zip(some, model.embed(model.tokenise(some)), strict=True)
    return vectors


def near_pairs(
    pairs: Sequence[RelationExample], olds: Near, share: float, rng: random.Random
) -> list[RelationExample]:
    """Old and new of different families that a search would find near each other."""
    some = _some(pairs, share, rng)
    found = [(pair, olds[pair.writer, pair.new]) for pair in some]
    return [pair.other(rng.choice(each), pair.new) for pair, each in found if each]


def retyped_pairs(
    pairs: Sequence[RelationExample], share: float, rng: random.Random
) -> list[RelationExample]:
    """A text beside itself in other typing."""
    made = []
    for pair in _some(pairs, share, rng):
        text = rng.choice((pair.old, pair.new))
        again = _retyped(text, rng)
        made.append(RelationExample(text, again, "repeats", pair.writer, pair.language))
    return made


def _retyped(text: str, rng: random.Random) -> str:
    """Up to two slips of two letters, and other marks."""
    words = text.split()
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(words))
        word = words[at]
        if len(word) >= _LONG and word.isalpha():
            cut = rng.randrange(1, len(word) - 1)
            words[at] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
    typed = " ".join(words)
    full_stop = rng.random() < 0.5  # noqa: PLR2004
    return typed.rstrip(".!") if full_stop else typed.replace("'", "").replace(",", "")


def _some(
    pairs: Sequence[RelationExample], share: float, rng: random.Random
) -> list[RelationExample]:
    return rng.sample(list(pairs), round(share * len(pairs)))


def fit_relations(pairs: Sequence[RelationExample], recipe: Recipe | None = None) -> Weights:
    """With other made examples in each epoch. Over twenty minutes on one core."""
    recipe = recipe or Recipe()
    olds, rng = near_olds(pairs), random.Random(recipe.seed)  # noqa: S311 - no secret
    epochs = [
        _rows(
            [
                *pairs,
                *unrelated_pairs(pairs, _DRAWN, rng),
                *retyped_pairs(pairs, _SAME_AGAIN, rng),
                *near_pairs(pairs, olds, _NEAR, rng),
            ]
        )
        for _ in range(recipe.epochs)
    ]
    return fine_tune(epochs, len(RELATIONS), recipe)


def _rows(pairs: Sequence[RelationExample]) -> TokenRows:
    labels = [RELATIONS.index(each.relation) for each in pairs]
    return tokenise_rows([(each.old, each.new) for each in pairs], labels)


def train_relations(pairs: Sequence[RelationExample], path: Path = FILE) -> None:
    """Fits the model on all pairs and writes it."""
    save_trained(fit_relations(pairs), path)


def hold_out_relations(pairs: Sequence[RelationExample]) -> list[dict[str, Any]]:
    """A row for each writer of HELD_OUT, as heard by what read all others: their own pairs, which
    are hard, and with as many drawn ones beside them."""
    model = as_packaged(fit_relations([each for each in pairs if each.writer not in HELD_OUT]))
    held = [each for each in pairs if each.writer in HELD_OUT]
    mixed = [*held, *unrelated_pairs(held, 1.0, random.Random(9))]  # noqa: S311 - no secret
    return [
        {"writer": writer, "pairs": name, **relation_metrics(model, theirs)}
        for writer in sorted(HELD_OUT)
        for name, some in (("hard", held), ("with drawn", mixed))
        for theirs in [[each for each in some if each.writer == writer]]
    ]


def relation_metrics(model: FineTunedEncoder, pairs: Sequence[RelationExample]) -> dict[str, Any]:
    """How well it tells what holds no more, and what is said again, from all else; and how many
    of each it finds where so many of those that it names are right."""
    shares = model.probabilities([(each.old, each.new) for each in pairs])
    labels = np.array([each.relation for each in pairs])
    over, again = np.isin(labels, ("replaces", "ends")), labels == "repeats"
    right = np.array(RELATIONS)[shares.argmax(axis=1)] == labels
    score, said = shares[:, :2].sum(axis=1), shares[:, 2]
    told = {
        "AUC over": roc_auc_score(over, score),
        "all five": right.mean(),
        **{f"over at {each}": recall_at_precision(each, over, score) for each in _PRECISIONS},
        "AUC repeats": roc_auc_score(again, said),
        **{
            f"repeats at {each}": recall_at_precision(each, again, said) for each in _PRECISIONS[:2]
        },
    }
    return {"count": len(pairs), **{name: f"{value:.3f}" for name, value in told.items()}}
