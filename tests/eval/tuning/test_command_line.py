from __future__ import annotations

from pathlib import Path

import pytest

from eval.runner import dispatch


@pytest.mark.parametrize("command", ["sweep", "ablation", "report"])
def test_a_folder_that_holds_no_set_is_one_line_and_ends_with_2(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch([command, "--path", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "turns.jsonl" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["sweep", "ablation", "report"])
def test_help_names_the_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch([command, "--help"]) == 0
    assert "--path" in capsys.readouterr().out
