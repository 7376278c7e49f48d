"""The weights of the package as the network takes them, for training that goes on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from eval.training.export import HEADS
from memory.understanding.multilingual_encoder import LAYERS_FILE, WORDS_FILE

Array = npt.NDArray[Any]
_KERNEL = ".kernel"


def load_shipped_weights() -> dict[str, Array]:
    """All that is trained, by its names in the network; kernels as near as 7 bits are."""
    constants = {
        each.name: numpy_helper.to_array(each) for each in onnx.load(LAYERS_FILE).graph.initializer
    }
    found = {name: values for name, values in constants.items() if _is_given(name)}
    for name in constants:
        if name.endswith(f"{_KERNEL}_quantized"):
            part = name.removesuffix("_quantized")
            found[f"{part.removesuffix(_KERNEL)}.weight"] = _unpacked(constants, part).T
    return found | _words(WORDS_FILE)


def _is_given(name: str) -> bool:
    return name.endswith((".weight", ".bias"))


def _unpacked(constants: dict[str, Array], name: str) -> Array:
    steps = constants[f"{name}_quantized"].astype(np.float32) - constants[f"{name}_zero_point"]
    return np.asarray(steps * constants[f"{name}_scale"], np.float32)


def _words(path: Path) -> dict[str, Array]:
    """The vectors of the two texts of a pair, and the heads."""
    with np.load(path) as stored:
        found = {"types": stored["types"].astype(np.float32)}
        for name in HEADS:
            found[f"{name}.weight"] = stored[f"head.{name}.kernel"].astype(np.float32).T
            found[f"{name}.bias"] = stored[f"head.{name}.bias"]
    return found
