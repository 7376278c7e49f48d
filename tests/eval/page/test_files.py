from __future__ import annotations

from pathlib import Path

import pytest

from eval.errors import ReportNotWritten
from eval.files import make_folder, write_file


def test_what_is_written_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    make_folder(folder)
    make_folder(folder)
    write_file(folder / "page.html", b"told")
    assert (folder / "page.html").read_bytes() == b"told"


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(ReportNotWritten, match="taken"):
        make_folder(tmp_path / "taken" / "inside")
    with pytest.raises(ReportNotWritten, match="could not be written"):
        write_file(tmp_path, b"")
