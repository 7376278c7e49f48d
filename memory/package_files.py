"""Data files that ship inside a pinned package, read without running the package's code."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from memory.errors import ModelFileChanged


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
