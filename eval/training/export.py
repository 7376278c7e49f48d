"""Writes what was trained as the package reads it: the layers as an ONNX graph with kernels of
7 bits, beside them the pieces, their vectors in 4 bits, and the heads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from eval.training.pretrained import WIDTH, PretrainedModel
from memory.understanding.multilingual_encoder import LAYERS_FILE, TOKENS, WORDS_FILE, pack_vectors

ATTENTION_HEADS = 12
HEADS = ("token", "segment", "relation")
_OPSET = 20
Array = npt.NDArray[np.float32]
# By their names in the network: a kernel is (out, in).
Weights = Mapping[str, Array]


def export(weights: Weights, base: PretrainedModel, layers: int) -> None:
    """Raises nothing that a disk does not."""
    save_layers(weights, layers, LAYERS_FILE)
    save_words(weights, base, WORDS_FILE)


def save_words(weights: Weights, base: PretrainedModel, path: Path) -> None:
    words, scales = pack_vectors(base.words)
    heads = {}
    for name in HEADS:
        heads[f"head.{name}.kernel"] = weights[f"{name}.weight"].T.astype(np.float16)
        heads[f"head.{name}.bias"] = weights[f"{name}.bias"].astype(np.float32)
    np.savez_compressed(
        path,
        allow_pickle=False,
        pieces=np.frombuffer("\n".join(base.pieces).encode(), np.uint8),
        scores=base.scores,
        words=words,
        scales=scales,
        places=weights["places"][: TOKENS + 2].astype(np.float16),
        types=weights["types"].astype(np.float16),
        **heads,
    )


def save_layers(weights: Weights, layers: int, path: Path) -> None:
    graph = _Graph(weights)
    x = graph.norm("embedded", "norm")
    for n in range(layers):
        x = graph.layer(x, f"layers.{n}.")
    with TemporaryDirectory() as folder:
        whole = Path(folder, "whole.onnx")
        onnx.save(graph.model(x), whole)
        # One bit is left free: processors without VNNI overflow else, and read otherwise.
        quantize_dynamic(
            whole, path, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
        )


class _Graph:
    """Collects the nodes of the encoder; each method returns the name of what it makes."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def model(self, output: str) -> Any:
        told = helper.make_tensor_value_info
        graph = helper.make_graph(
            self._nodes,
            "reader",
            [
                told("embedded", TensorProto.FLOAT, ["texts", "tokens", WIDTH]),
                told("away", TensorProto.FLOAT, ["texts", 1, 1, "tokens"]),
            ],
            [told(output, TensorProto.FLOAT, ["texts", "tokens", WIDTH])],
            list(self._constants.values()),
        )
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=10
        )

    def layer(self, x: str, name: str) -> str:
        x = self.norm(self.node("Add", x, self._attention(x, name)), name + "attended")
        wide = self.node("Gelu", self._dense(x, name + "wide"))
        return self.norm(self.node("Add", x, self._dense(wide, name + "narrow")), name + "norm")

    def norm(self, x: str, name: str) -> str:
        parts = [self._given(f"{name}.{part}") for part in ("weight", "bias")]
        return self.node("LayerNormalization", x, *parts, axis=-1, epsilon=1e-12)

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def _attention(self, x: str, name: str) -> str:
        shape = self._constant("split", np.array([0, 0, ATTENTION_HEADS, WIDTH // ATTENTION_HEADS]))
        told = [
            self.node("Reshape", self._dense(x, name + part), shape)
            for part in ("query", "key", "value")
        ]
        query, value = (self.node("Transpose", told[at], perm=[0, 2, 1, 3]) for at in (0, 2))
        key = self.node("Transpose", told[1], perm=[0, 2, 3, 1])
        root = np.float32(np.sqrt(WIDTH / ATTENTION_HEADS))
        scores = self.node("Div", self.node("MatMul", query, key), self._constant("root", root))
        share = self.node("Softmax", self.node("Add", scores, "away"), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", share, value), perm=[0, 2, 1, 3])
        joined = self.node("Reshape", mixed, self._constant("join", np.array([0, 0, WIDTH])))
        return self._dense(joined, name + "output")

    def _dense(self, x: str, name: str) -> str:
        kernel = self._constant(f"{name}.kernel", self._weights[f"{name}.weight"].T.copy())
        return self.node("Add", self.node("MatMul", x, kernel), self._given(f"{name}.bias"))

    def _given(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _constant(self, name: str, values: Any) -> str:
        array = np.asarray(values)
        kept = array.astype(np.int64) if array.dtype.kind == "i" else array.astype(np.float32)
        self._constants.setdefault(name, numpy_helper.from_array(kept, name))
        return name
