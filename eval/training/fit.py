"""Trains the network on texts and pairs, and measures it on writers that it has not read."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from sklearn.metrics import precision_recall_curve, roc_auc_score
from torch import Tensor, nn

from eval.training.examples import UNKNOWN, PairExample, TextExample, TrainingEpoch
from eval.training.export import HEADS, Weights
from eval.training.network import ReaderNetwork
from eval.training.pretrained import PretrainedModel
from memory.understanding import STATEMENTS
from memory.understanding.encoded_text import PLACES, TOKEN_LABELS
from memory.understanding.relations import RELATIONS
from memory.understanding.types import KINDS

Scores = npt.NDArray[np.floating[Any]]
Example = TypeVar("Example", TextExample, PairExample)
Step = TypeVar("Step")
# So much of what is told may be lost where the rest is left out.
_LOST = 0.05
_SPECIAL = 2


@dataclass(frozen=True)
class Recipe:
    """AdamW, warm for a twentieth of the steps, then down a cosine; `budget` tokens in a step."""

    layers: int = 12
    epochs: int = 3
    rate: float = 2e-4
    head_rate: float = 1e-3
    decay: float = 0.01
    budget: int = 2000
    seed: int = 1


def fit(
    base: PretrainedModel,
    epochs: Sequence[TrainingEpoch],
    recipe: Recipe,
    weights: Weights | None = None,
) -> ReaderNetwork:
    """Texts and pairs in turn, drawn at random; goes on from the weights where they are given. Some
    1.5 s for a step on two cores."""
    torch.manual_seed(recipe.seed)
    rng = random.Random(recipe.seed)  # noqa: S311 - no secret
    network = ReaderNetwork(base, recipe.layers)
    if weights is not None:
        given = {name: torch.tensor(each) for name, each in weights.items()}
        network.load_state_dict(network.state_dict() | given)
    plan = [step for epoch in epochs for step in _steps(epoch, recipe.budget, rng)]
    named = [(name, each) for name, each in network.named_parameters() if each.requires_grad]
    heads = [each for name, each in named if name.split(".")[0] in HEADS]
    rest = [each for name, each in named if name.split(".")[0] not in HEADS]
    groups = [{"params": rest, "lr": recipe.rate}, {"params": heads, "lr": recipe.head_rate}]

    def cost(step: tuple[list[TextExample], list[PairExample]]) -> Tensor:
        texts, pairs = step
        with torch.autocast("cpu", torch.bfloat16):
            return network.cost_of_texts(texts) if texts else network.cost_of_pairs(pairs)

    run_steps(network, plan, cost, groups, recipe)
    return network


def run_steps(
    network: nn.Module,
    plan: Sequence[Step],
    cost_of: Callable[[Step], Tensor],
    groups: Sequence[dict[str, Any]],
    recipe: Recipe,
) -> None:
    """Trains these groups of the network's parameters, a step of the plan after the other."""
    torch.set_flush_denormal(True)
    optimiser, schedule = _make_optimiser(groups, recipe, len(plan))
    network.train()
    for step in track(plan, description="training"):
        optimiser.zero_grad()
        cost_of(step).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    network.eval()
    torch.set_flush_denormal(False)


def _make_optimiser(
    groups: Sequence[dict[str, Any]], recipe: Recipe, steps: int
) -> tuple[Any, Any]:

    def factor(step: int) -> float:
        return min(1.0, (step + 1) / (steps / 20)) * (
            0.02 + 0.49 * (1 + math.cos(math.pi * step / steps))
        )

    optimiser = torch.optim.AdamW(list(groups), weight_decay=recipe.decay)
    return optimiser, torch.optim.lr_scheduler.LambdaLR(optimiser, factor)


def weights_of(network: ReaderNetwork) -> dict[str, npt.NDArray[np.float32]]:
    return {name: each.numpy() for name, each in network.state_dict().items()}


def figures_of_texts(network: ReaderNetwork, texts: Sequence[TextExample]) -> dict[str, Any]:
    """How often the kind is right; how well what is told is known from all else, and how much of
    that is left out where all but a twentieth of what is told is kept; commands heard and their
    precision; ends of segments and words of secrets found at a precision."""
    segments, tokens = _run(network, texts)
    kind, kinds = _known(texts, "kind", segments)
    told = np.isin(kinds, [KINDS.index(each) for each in STATEMENTS])
    score = _softmax(kind)[:, [each in STATEMENTS for each in KINDS]].sum(axis=1)
    command, commands = _known(texts, "command", segments)
    heard, right = command.argmax(axis=1), command.argmax(axis=1) == commands
    begins, secret = (_found_at(texts, tokens, name, 0.9) for name in ("begins", "secret"))
    return {
        "segments": len(kinds),
        "kind right": _share(kind.argmax(axis=1) == kinds),
        "AUC told": f"{roc_auc_score(told, score):.3f}" if 0 < told.sum() < len(told) else "-",
        "rest left out": _share(score[~told] < np.quantile(score[told], _LOST)),
        "commands heard": _share(right[commands > 0]),
        "precision": _share(right[heard > 0]),
        "begins at 0.9": begins,
        "secret at 0.9": secret,
    }


def figures_of_pairs(network: ReaderNetwork, pairs: Sequence[PairExample]) -> dict[str, Any]:
    """How well what holds no more, and what is said again, is told from all else."""
    logits = np.concatenate(
        [_pairs_of(network, [pairs[at] for at in chosen]) for chosen in _chunks(len(pairs))]
    )
    shares, labels = _softmax(logits), np.array([each.relation for each in pairs])
    over, score = labels < 2, shares[:, :2].sum(axis=1)  # noqa: PLR2004 - replaces and ends
    again = labels == RELATIONS.index("repeats")
    return {
        "pairs": len(pairs),
        "all five": _share(shares.argmax(axis=1) == labels),
        "AUC over": f"{roc_auc_score(over, score):.3f}",
        **{f"over at {each}": _found(each, over, score) for each in (0.95, 0.9, 0.8)},
        "AUC repeats": f"{roc_auc_score(again, shares[:, 2]):.3f}",
    }


def _steps(
    epoch: TrainingEpoch, budget: int, rng: random.Random
) -> Iterator[tuple[list[TextExample], list[PairExample]]]:
    texts = _batches(epoch.texts, lambda each: len(each.ids) + _SPECIAL, budget, rng)
    pairs = _batches(epoch.pairs, lambda each: each.size, budget, rng)
    steps: list[tuple[list[TextExample], list[PairExample]]] = [(each, []) for each in texts]
    steps += [([], each) for each in pairs]
    rng.shuffle(steps)
    yield from steps


def _batches(
    examples: Sequence[Example], size: Callable[[Example], int], budget: int, rng: random.Random
) -> Iterator[list[Example]]:
    """Of about one length each, so that little of it is padding."""
    batch: list[Example] = []
    for each in sorted(examples, key=lambda one: size(one) + rng.random() * 6):
        if batch and (len(batch) + 1) * size(each) > budget:
            yield batch
            batch = []
        batch.append(each)
    if batch:
        yield batch


def _run(network: ReaderNetwork, texts: Sequence[TextExample]) -> tuple[Scores, list[Scores]]:
    """The logits of all segments, and those of the tokens of each text."""
    segments, tokens = [], []
    for chosen in _chunks(len(texts)):
        some = [texts[at] for at in chosen]
        with torch.inference_mode():
            of_tokens, of_segments = network.of_texts(some)
        segments.append(of_segments.numpy())
        tokens += [
            each[1 : len(text.ids) + 1].numpy() for text, each in zip(some, of_tokens, strict=True)
        ]
    return np.concatenate(segments), tokens


def _pairs_of(network: ReaderNetwork, pairs: Sequence[PairExample]) -> Scores:
    with torch.inference_mode():
        return np.asarray(network.of_pairs(pairs).numpy())


def _chunks(count: int, size: int = 64) -> list[range]:
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def _known(
    texts: Sequence[TextExample], question: str, logits: Scores
) -> tuple[Scores, npt.NDArray[np.int64]]:
    labels = np.array([each.labels[question] for text in texts for each in text.segments], int)
    known = labels != UNKNOWN
    return logits[known][:, PLACES[question]], labels[known]


def _found_at(
    texts: Sequence[TextExample], tokens: Sequence[Scores], name: str, precision: float
) -> str:
    labels = np.concatenate([np.array(each.token_labels[name], int) for each in texts])
    scores = np.concatenate([each[:, TOKEN_LABELS.index(name)] for each in tokens])
    return _found(precision, labels[labels != UNKNOWN] == 1, scores[labels != UNKNOWN])


def _found(precision: float, wanted: npt.NDArray[np.bool_], scores: Scores) -> str:
    """The largest share of what is wanted that is found with at least this precision."""
    if not wanted.any():
        return "-"
    reached, found, _ = precision_recall_curve(wanted, scores)
    return f"{found[reached >= precision].max():.3f}"


def _share(right: npt.NDArray[np.bool_]) -> str:
    return f"{right.mean():.3f}" if len(right) else "-"


def _softmax(logits: Scores) -> Scores:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
