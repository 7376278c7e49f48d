"""Backups that somebody changed."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from app.ops.backup_archive import MANIFEST

Fields: TypeAlias = dict[str, Any]
Parts: TypeAlias = dict[str, bytes]


def read_parts(file: Path) -> Parts:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_parts(file: Path, parts: Parts) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file


def rewritten(file: Path, change: Callable[[Fields], None]) -> Path:
    """Beside it, one whose manifest was changed."""
    parts = read_parts(file)
    manifest = json.loads(parts[MANIFEST])
    change(manifest)
    parts[MANIFEST] = json.dumps(manifest).encode()
    return write_parts(file.with_suffix(".changed"), parts)
