from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from app.backup.left_over import abandoned_workplaces, clear_workplaces, workplace

_WORKS = """
import sys
from pathlib import Path
from app.backup.left_over import workplace
with workplace(Path(sys.argv[1])) as folder:
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
        assert abandoned_workplaces(tmp_path) == []
        working.send_signal(signal.SIGKILL)
        working.wait(30)
    with workplace(tmp_path) as used:
        assert abandoned_workplaces(tmp_path) == [left]
        clear_workplaces(tmp_path)
        assert used.exists()
    assert list(tmp_path.iterdir()) == [mine]
