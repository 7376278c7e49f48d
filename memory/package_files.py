"""Model files: those that ship inside a pinned package, read without running the package's code,
how a network is opened, and that each is loaded once."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from memory.errors import ModelFileChanged

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

T = TypeVar("T")
# Measured: a second thread nearly doubles a batch, more only take cores from the rest.
_THREADS = 2


def read_package_file(package: str, path: str) -> bytes:
    """The bytes of `path` inside the installed top-level `package`.

    Finding a top-level package imports nothing. Raises ModelFileChanged where the
    package or the file is not there.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelFileChanged(name=f"{package}/{path}")
    try:
        return Path(spec.submodule_search_locations[0], path).read_bytes()
    except OSError as error:
        raise ModelFileChanged(name=f"{package}/{path}") from error


def check_sha256(content: bytes, sha256: str, name: str) -> None:
    """Raises ModelFileChanged unless `content` has this SHA-256, given in hexadecimal."""
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ModelFileChanged(name=name)


def open_network(content: bytes) -> InferenceSession:
    """A network in ONNX's form, ready to run on the processor. Takes about half a second."""
    import onnxruntime  # noqa: PLC0415 - whoever only names what is read need not load it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(_THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads burn both cores while they wait for the next text.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


class LoadedOnce(Generic[T]):
    """Decorates what loads a model: the first call loads it, and threads that ask for it meanwhile
    wait for that instead of loading it again, as `functools.cache` would have them do."""

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = cache(load)
        self._lock = Lock()

    def __call__(self) -> T:
        with self._lock:
            return self._load()

    def cache_clear(self) -> None:
        """The next call loads it anew."""
        self._load.cache_clear()
