"""Trains what reads a question together with a memory: whether it answers, and whether it is
related at all. It begins with the reader, which has learned to compare two texts; from the local
embedding model it learns more slowly."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn import functional

from eval.training.data import LabelledStore
from eval.training.export import save_layers
from eval.training.fit import Recipe, run_steps, weights_of
from eval.training.network import ReaderNetwork, mean_of_own, padded
from eval.training.pretrained import WIDTH, PretrainedModel
from eval.training.shipped import load_shipped_weights
from memory.understanding.cross_encoder import (
    CROSS_HEAD_FILE,
    CROSS_LAYERS_FILE,
    MEMORY_TOKENS,
    QUESTION_TOKENS,
    CrossEncoder,
)
from memory.understanding.multilingual_encoder import (
    PADDING,
    make_unigram_tokenizer,
    pair_input,
)

# Of each question so many of what answers, of what is related, and of the rest of its store, drawn
# anew each time.
_ANSWERS, _RELATED, _REST = 3, 2, 1
_OF_RELATED = 0.3
_SMALL = 0.2


class QuestionPair(NamedTuple):
    """A question beside a memory, in pieces."""

    question: list[int]
    memory: list[int]
    answers: bool
    related: bool

    @property
    def size(self) -> int:
        return len(self.question) + len(self.memory) + 4


class CrossEncoderNetwork(nn.Module):  # type: ignore[misc]
    def __init__(self, base: PretrainedModel, layers: int) -> None:
        super().__init__()
        self.encoder = ReaderNetwork(base, layers)
        shipped = {name: torch.tensor(each) for name, each in load_shipped_weights().items()}
        self.encoder.load_state_dict(self.encoder.state_dict() | shipped)
        self.head = nn.Linear(3 * WIDTH, 2)
        nn.init.normal_(self.head.weight, 0, 0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, pairs: Sequence[QuestionPair]) -> Tensor:
        """The log-odds that the memory answers and that it is related, (pairs, 2)."""
        ids, types = padded([pair_input(each.question, each.memory) for each in pairs])
        x = self.encoder(ids, types)
        own = ids != PADDING
        means = [mean_of_own(x, own & (types == which)) for which in (0, 1)]
        return self.head(self.encoder.drop(torch.cat([*means, x[:, 0]], dim=-1)))


class QuestionPairs:
    """Makes examples of labelled stores."""

    def __init__(self, base: PretrainedModel) -> None:
        self._tokenizer = make_unigram_tokenizer(base.pieces, base.scores.astype(float).tolist())

    def drawn(self, stores: Sequence[LabelledStore], rng: random.Random) -> list[QuestionPair]:
        """Of each question what answers, and some of what does not."""
        made = []
        for store in stores:
            memories = [self._ids(each, MEMORY_TOKENS) for each in store.memories]
            for question in store.questions:
                rest = set(range(len(memories))) - {*question.answers, *question.related}
                chosen = [
                    *_some(question.answers, _ANSWERS, rng),
                    *_some(question.related, _RELATED, rng),
                    *_some(sorted(rest), _REST + (not question.related), rng),
                ]
                text = question.text.lower() if rng.random() < _SMALL else question.text
                asked = self._ids(text, QUESTION_TOKENS)
                made += [
                    QuestionPair(asked, memories[at], at in question.answers, at not in rest)
                    for at in chosen
                ]
        return made

    def _ids(self, text: str, most: int) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids[:most]
        return ids


def fit_cross_encoder(
    base: PretrainedModel, stores: Sequence[LabelledStore], recipe: Recipe
) -> CrossEncoderNetwork:
    """Some 2 s for a step on two cores."""
    torch.manual_seed(recipe.seed)
    rng = random.Random(recipe.seed)  # noqa: S311 - no secret
    network, make = CrossEncoderNetwork(base, recipe.layers), QuestionPairs(base)
    plan = [
        batch
        for _ in range(recipe.epochs)
        for batch in _batches(make.drawn(stores, rng), recipe.budget, rng)
    ]
    encoder = network.encoder
    layers = [encoder.types, *encoder.norm.parameters(), *encoder.layers.parameters()]
    groups = [
        {"params": layers, "lr": recipe.rate},
        {"params": network.head.parameters(), "lr": recipe.head_rate},
    ]
    run_steps(network, plan, lambda batch: _cost(network, batch), groups, recipe)
    return network


def _cost(network: CrossEncoderNetwork, batch: Sequence[QuestionPair]) -> Tensor:
    labels = torch.tensor([[each.answers, each.related] for each in batch], dtype=torch.float32)
    with torch.autocast("cpu", torch.bfloat16):
        logits = network(batch)
    costs = functional.binary_cross_entropy_with_logits(logits.float(), labels, reduction="none")
    answers, related = costs.mean(0)
    return answers + _OF_RELATED * related


def save_cross_encoder(network: CrossEncoderNetwork) -> None:
    """Writes what `memory.understanding.cross_encoder` reads."""
    weights = weights_of(network.encoder)
    save_layers(weights, len(network.encoder.layers), CROSS_LAYERS_FILE)
    head = weights_of(network.head)
    np.savez_compressed(
        CROSS_HEAD_FILE,
        allow_pickle=False,
        types=weights["types"].astype(np.float16),
        kernel=head["weight"].T.astype(np.float16),
        bias=head["bias"],
    )


def figures_of_questions(encoder: CrossEncoder, stores: Sequence[LabelledStore]) -> dict[str, Any]:
    """How well what answers is told from all else of its store, how often the likeliest memory
    answers, and how well questions that something answers are told by it from the others."""
    logits, labels, best, answered, first = [], [], [], [], []
    for store in stores:
        for question in store.questions:
            told = [each.answers for each in encoder.read(question.text, store.memories) if each]
            if len(told) < len(store.memories):
                continue
            logits += told
            labels += [at in question.answers for at in range(len(told))]
            best.append(max(told))
            answered.append(bool(question.answers))
            first += [int(np.argmax(told)) in question.answers] if question.answers else []
    return {
        "questions": len(answered),
        "AUC answers": f"{roc_auc_score(labels, logits):.3f}",
        "first right": f"{np.mean(first):.3f}",
        "AUC answered": f"{roc_auc_score(answered, best):.3f}",
    }


def _some(places: Sequence[int], most: int, rng: random.Random) -> list[int]:
    return rng.sample(list(places), min(most, len(places)))


def _batches(
    pairs: Sequence[QuestionPair], budget: int, rng: random.Random
) -> Iterator[list[QuestionPair]]:
    """Of about one length each, in any order."""
    made: list[list[QuestionPair]] = [[]]
    for each in sorted(pairs, key=lambda one: one.size + rng.random() * 6):
        if (len(made[-1]) + 1) * each.size > budget:
            made.append([])
        made[-1].append(each)
    rng.shuffle(made)
    yield from made
