from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from app.ops.backup_archive import abandoned_work_folders, delete_work_folders, work_folder

_WORKS = """
import sys
from pathlib import Path
from app.ops.backup_archive import work_folder
with work_folder(Path(sys.argv[1])) as folder:
    (folder / "database.dump").write_text("everything")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_program_left_goes_and_nothing_else(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    mine = tmp_path / ".keepsake-notes"
    mine.mkdir()
    words = [sys.executable, "-c", _WORKS, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, cwd=root, text=True, **pipes) as working:  # type: ignore[call-overload]
        left = Path(working.stdout.readline().strip())
        assert abandoned_work_folders(tmp_path) == []
        working.send_signal(signal.SIGKILL)
        working.wait(60)
    with work_folder(tmp_path) as used:
        assert abandoned_work_folders(tmp_path) == [left]
        delete_work_folders(tmp_path)
        assert used.exists()
    assert list(tmp_path.iterdir()) == [mine]
