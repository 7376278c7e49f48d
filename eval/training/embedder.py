"""Fits the vectors of the local embedding model: a question comes to lie nearer to the memories and
messages that answer it than to what is merely near.

Of each step's questions the ones to be found are all that answers, among everything of the step
(InfoNCE, van den Oord et al. 2018); where nothing answers, what is related, with less weight. A
logistic cost on each pair gives the cosines one scale for all questions, and pairs of memories that
say the same in other words keep near what is not asked about.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from eval.training.data import LabelledStore
from eval.training.export import save_layers
from eval.training.fit import Recipe, run_steps, weights_of
from eval.training.network import ReaderNetwork, mean_of_own, padded
from eval.training.pretrained import PretrainedModel
from memory.understanding.multilingual_encoder import (
    PADDING,
    make_unigram_tokenizer,
    text_input,
)
from memory.understanding.sentence_encoder import (
    PASSAGE,
    QUERY,
    SENTENCE_LAYERS_FILE,
    SENTENCE_PLACES_FILE,
    SENTENCE_TOKENS,
    SentenceEncoder,
)

_STORES, _REPEATS = 8, 16
_TEMPERATURE = 0.05
# The odds that a pair answers are even at a cosine of 0.45.
_SCALE, _BIAS = 20.0, -9.0
_OF_RELATED, _OF_PAIRS, _OF_REPEATS = 0.3, 0.5, 0.3
# What is related counts half among what does not answer.
_RELATED_COUNTS = 0.5
_SMALL_QUESTION, _SMALL_MEMORY = 0.2, 0.1
_FAR = -1e4
_RUN = 40
_AMONG = 5


@dataclass
class StoreBatch:
    """The memories of a few stores and all their questions; `answers` and `related` (questions,
    memories) are 1 where a memory is one."""

    memories: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    answers: list[tuple[int, int]] = field(default_factory=list)
    related: list[tuple[int, int]] = field(default_factory=list)

    def add(self, store: LabelledStore, rng: random.Random) -> None:
        first = len(self.memories)
        self.memories += [PASSAGE + _typed(each, _SMALL_MEMORY, rng) for each in store.memories]
        for question in store.questions:
            row = len(self.questions)
            self.questions.append(QUERY + _typed(question.text, _SMALL_QUESTION, rng))
            self.answers += [(row, first + at) for at in question.answers]
            self.related += [(row, first + at) for at in question.related]

    def marked(self, places: Sequence[tuple[int, int]]) -> Tensor:
        found = torch.zeros(len(self.questions), len(self.memories))
        for row, at in places:
            found[row, at] = 1
        return found


def fit_embedder(
    base: PretrainedModel,
    stores: Sequence[LabelledStore],
    repeats: Sequence[tuple[str, str]],
    recipe: Recipe,
) -> ReaderNetwork:
    """`repeats` are pairs of texts that say the same. Some 5 s for a step on two cores."""
    torch.manual_seed(recipe.seed)
    rng = random.Random(recipe.seed)  # noqa: S311 - no secret
    network = ReaderNetwork(base, recipe.layers)
    tokenizer = make_unigram_tokenizer(base.pieces, base.scores.astype(float).tolist())
    plan = [each for _ in range(recipe.epochs) for each in _batches(stores, rng)]
    parts = [network.types, *network.norm.parameters(), *network.layers.parameters()]
    groups = [{"params": parts, "lr": recipe.rate}]

    def cost(batch: StoreBatch) -> Tensor:
        return _cost(network, tokenizer, batch, rng.sample(list(repeats), _REPEATS))

    run_steps(network, plan, cost, groups, recipe)
    return network


def save_embedder(network: ReaderNetwork) -> None:
    """Writes what `memory.understanding.sentence_encoder` reads."""
    weights = weights_of(network)
    save_layers(weights, len(network.layers), SENTENCE_LAYERS_FILE)
    np.savez_compressed(
        SENTENCE_PLACES_FILE,
        allow_pickle=False,
        places=weights["places"][: SENTENCE_TOKENS + 2].astype(np.float16),
        types=weights["types"].astype(np.float16),
    )


def figures_of_stores(encoder: SentenceEncoder, stores: Sequence[LabelledStore]) -> dict[str, Any]:
    """By cosine alone: how often what answers a question is among the nearest five of its store and
    the nearest, and how well the nearest's cosine tells that something answers at all."""
    among, first, best, answered = [], [], [], []
    for store in stores:
        memories = encoder.embed([PASSAGE + each for each in store.memories])
        questions = encoder.embed([QUERY + each.text for each in store.questions])
        for question, cosines in zip(store.questions, questions @ memories.T, strict=True):
            nearest = np.argsort(-cosines).tolist()
            best.append(float(cosines.max()))
            answered.append(bool(question.answers))
            if question.answers:
                among.append(len({*nearest[:_AMONG]} & {*question.answers}) / len(question.answers))
                first.append(nearest[0] in question.answers)
    return {
        "questions": len(answered),
        "among five": f"{np.mean(among):.3f}",
        "first": f"{np.mean(first):.3f}",
        "AUC answered": f"{roc_auc_score(answered, best):.3f}",
    }


def _batches(stores: Sequence[LabelledStore], rng: random.Random) -> Iterator[StoreBatch]:
    drawn = rng.sample(list(stores), len(stores))
    for start in range(0, len(drawn), _STORES):
        batch = StoreBatch()
        for store in drawn[start : start + _STORES]:
            batch.add(store, rng)
        yield batch


def _cost(
    network: ReaderNetwork,
    tokenizer: Tokenizer,
    batch: StoreBatch,
    repeats: Sequence[tuple[str, str]],
) -> Tensor:
    said_again = [PASSAGE + each for pair in repeats for each in pair]
    with torch.autocast("cpu", torch.bfloat16):
        vectors = _embed(network, tokenizer, [*batch.memories, *batch.questions, *said_again])
    memories, questions, again = vectors.split(
        [len(batch.memories), len(batch.questions), len(said_again)]
    )
    cosines = questions @ memories.T
    answers, related = batch.marked(batch.answers), batch.marked(batch.related)
    cost = _found_among_all(cosines, answers)
    cost = cost + _OF_RELATED * _found_among_all(cosines, related * (answers.sum(1) == 0)[:, None])
    weight = torch.where(related > 0, _RELATED_COUNTS, 1.0)
    of_pairs = functional.binary_cross_entropy_with_logits(
        _SCALE * cosines + _BIAS, answers, weight=weight, reduction="sum"
    )
    first, second = again[0::2], again[1::2]
    logits = torch.cat([first @ second.T, first @ memories.T], dim=1) / _TEMPERATURE
    of_repeats = functional.cross_entropy(logits, torch.arange(len(first)))
    return cost + _OF_PAIRS * of_pairs / len(questions) + _OF_REPEATS * of_repeats


def _found_among_all(cosines: Tensor, wanted: Tensor) -> Tensor:
    """Over the rows with something wanted: how unlikely it is drawn by its cosine."""
    rows = wanted.sum(1) > 0
    if not rows.any():
        return torch.zeros(())
    logits, wanted = cosines[rows] / _TEMPERATURE, wanted[rows]
    of_wanted = torch.logsumexp(logits.masked_fill(wanted == 0, _FAR), 1)
    return (torch.logsumexp(logits, 1) - of_wanted).mean()


def _embed(network: ReaderNetwork, tokenizer: Tokenizer, texts: Sequence[str]) -> Tensor:
    """Unit rows in their order; run by length, so that little of it is padding."""
    ids = [tokenizer.encode(each, add_special_tokens=False).ids[:SENTENCE_TOKENS] for each in texts]
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
    rows = []
    for start in range(0, len(order), _RUN):
        pieces, types = padded([text_input(ids[at]) for at in order[start : start + _RUN]])
        rows.append(mean_of_own(network(pieces, types), pieces != PADDING))
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return functional.normalize(torch.cat(rows).float(), dim=-1)[back]


def _typed(text: str, share: float, rng: random.Random) -> str:
    return text.lower() if rng.random() < share else text
