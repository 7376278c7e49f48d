"""A folder and the files in it; what goes wrong is one sentence."""

from __future__ import annotations

from pathlib import Path

from eval.errors import ReportNotWritten


def make_folder(folder: Path) -> None:
    """Raises ReportNotWritten."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportNotWritten(path=folder, reason=error.strerror or str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Raises ReportNotWritten."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ReportNotWritten(path=path, reason=error.strerror or str(error)) from error
