"""Trains the upper layers of the shipped encoder for one task, with a new head on them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax
from rich.progress import track
from sklearn.metrics import precision_recall_curve

from eval.training.encoder import (
    WIDTH,
    Array,
    Params,
    Weights,
    hidden,
    is_trained,
    load_weights,
    pooled,
    save_trained,
)
from memory.encoder import load_tokenizer
from memory.understanding.fine_tuned import TOKENS, FineTuned, Input, load_fine_tuned

# Padded lengths, for each of which a step is compiled once.
_LENGTHS = (16, 24, 32, 40, 48, TOKENS)
_BATCH = 32
# The id of the marker before each text; a row that is none consists of it.
_MARKER, _NO_ROW = 101, -1
Numbers = npt.NDArray[np.integer[Any]]
Scores = npt.NDArray[np.floating[Any]]
Optimiser: TypeAlias = optax.GradientTransformation


@dataclass(frozen=True)
class Recipe:
    """How it is trained: AdamW, warm for a tenth of the steps, then down a cosine."""

    epochs: int = 3
    rate: float = 1e-4
    head_rate: float = 1e-3
    decay: float = 0.01
    dropout: float = 0.1
    smoothing: float = 0.05
    seed: int = 1


@dataclass(frozen=True)
class Rows:
    """Texts, or pairs of texts, as ids of tokens and which of the two each belongs to; and the
    number of each one's label."""

    ids: list[list[int]]
    types: list[list[int]]
    labels: Numbers


def rows_of(texts: Sequence[Input], labels: Sequence[int]) -> Rows:
    """Cut to what the package reads of them."""
    found = load_tokenizer(TOKENS).encode_batch(list(texts))
    ids, types = [list(each.ids) for each in found], [list(each.type_ids) for each in found]
    return Rows(ids, types, np.array(labels, dtype=np.int64))


def fine_tune(epochs: Sequence[Rows], labels: int, recipe: Recipe) -> Weights:
    """All weights after these epochs, each with rows of its own. Over a second for a step of 32
    texts on one core. The same weights come out each time on one machine."""
    rng = random.Random(recipe.seed)  # noqa: S311 - no secret
    plan = [(rows, chosen) for rows in epochs for chosen in _batches(rows, rng)]
    everything = {**load_weights(), **_head(labels, recipe.seed)}
    params = {k: jnp.asarray(v) for k, v in everything.items() if is_trained(k)}
    stays = {k: jnp.asarray(v) for k, v in everything.items() if not is_trained(k)}
    optimiser = _optimiser(recipe, len(plan), params)
    state, slope_of, update = optimiser.init(params), _slope_of(recipe, labels), _update(optimiser)
    key = jax.random.key(recipe.seed, impl="rbg")
    for at, (rows, chosen) in enumerate(track(plan, description="fine-tuning")):
        slope = slope_of(params, stays, _batch(rows, chosen), jax.random.fold_in(key, at))
        params, state = update(params, state, slope)
    return {name: np.asarray(value) for name, value in {**params, **stays}.items()}


def as_shipped(weights: Weights) -> FineTuned:
    """The model as the package runs it, its kernels rounded."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "weights.npz")
        save_trained(weights, path)
        return load_fine_tuned(path)


def found_at(precision: float, wanted: npt.NDArray[np.bool_], scores: Scores) -> float:
    """The largest share of what is wanted that is found with at least this precision."""
    reached, found, _ = precision_recall_curve(wanted, scores)
    return float(found[reached >= precision].max())


def _head(labels: int, seed: int) -> Weights:
    drawn = np.random.default_rng(seed).normal(0, 0.02, (2 * WIDTH, labels))
    return {
        "head.kernel": drawn.astype(np.float32),
        "head.bias": np.zeros(labels, dtype=np.float32),
    }


def _batches(rows: Rows, rng: random.Random) -> Iterator[Numbers]:
    """Numbers of rows of one padded length, in any order; the last batch of a length is filled up
    with none."""
    order = list(range(len(rows.ids)))
    rng.shuffle(order)
    boxes: dict[int, list[int]] = {length: [] for length in _LENGTHS}
    for at in order:
        boxes[_room(len(rows.ids[at]))].append(at)
    cut = [box[n : n + _BATCH] for box in boxes.values() for n in range(0, len(box), _BATCH)]
    rng.shuffle(cut)
    for each in cut:
        yield np.array(each + [_NO_ROW] * (_BATCH - len(each)))


def _room(tokens: int) -> int:
    return next(each for each in _LENGTHS if each >= tokens)


def _batch(rows: Rows, chosen: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Ids, types and labels, whose number is negative where a row is none."""
    real = chosen != _NO_ROW
    length = _room(max(len(rows.ids[at]) for at in chosen[real]))
    ids = np.zeros((len(chosen), length), dtype=np.int32)
    types = np.zeros_like(ids)
    ids[:, 0] = _MARKER
    for row, at in enumerate(chosen[real]):
        ids[row, : len(rows.ids[at])] = rows.ids[at]
        types[row, : len(rows.types[at])] = rows.types[at]
    return ids, types, np.where(real, rows.labels[chosen], _NO_ROW)


def _logits(p: Params, ids: Array, types: Array, key: Array, dropout: float) -> Array:
    x = pooled(hidden(p, ids, types, key, dropout), ids)
    keep = jax.random.bernoulli(jax.random.fold_in(key, 7), 1 - dropout, x.shape)
    return jnp.where(keep, x / (1 - dropout), 0.0) @ p["head.kernel"] + p["head.bias"]


def _slope_of(recipe: Recipe, count: int) -> Callable[..., Params]:
    """The gradient of the loss; apart from the update, which is compiled once for all lengths."""

    def loss(params: Params, stays: Params, batch: tuple[Array, Array, Array], key: Array) -> Array:
        ids, types, labels = batch
        logits = _logits({**params, **stays}, ids, types, key, recipe.dropout)
        told = jax.nn.one_hot(jnp.maximum(labels, 0), count)
        wanted = optax.smooth_labels(told, recipe.smoothing)
        real = labels >= 0
        return (optax.softmax_cross_entropy(logits, wanted) * real).sum() / real.sum()

    return jax.jit(jax.grad(loss))  # type: ignore[no-any-return]


def _optimiser(recipe: Recipe, steps: int, params: Params) -> Optimiser:
    """The head learns at a rate of its own; what is no kernel does not decay."""

    def adam(rate: float, decay: float) -> Optimiser:
        warm = max(steps // 10, 1)
        plan = optax.warmup_cosine_decay_schedule(0.0, rate, warm, steps, rate / 50)
        return optax.adamw(plan, weight_decay=decay)

    groups = {
        name: "head" if name.startswith("head.") else "kernel" if value.ndim > 1 else "rest"
        for name, value in params.items()
    }
    rules = {
        "head": adam(recipe.head_rate, recipe.decay),
        "kernel": adam(recipe.rate, recipe.decay),
        "rest": adam(recipe.rate, 0.0),
    }
    return optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform(rules, groups))


def _update(optimiser: Optimiser) -> Callable[..., tuple[Params, Any]]:
    def update(params: Params, state: Any, slope: Params) -> tuple[Params, Any]:
        change, state = optimiser.update(slope, state, params)
        return optax.apply_updates(params, change), state

    return jax.jit(update, donate_argnums=(0, 1))  # type: ignore[no-any-return]
