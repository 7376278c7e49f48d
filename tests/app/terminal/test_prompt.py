from __future__ import annotations

from pathlib import Path

from app.terminal.prompt import PrivateHistory, history_file


def test_what_was_typed_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = history_file(tmp_path, "anna")
    history = PrivateHistory(path)
    history.store_string("two\nlines \ud800 \x1b[31m")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(PrivateHistory(path).load_history_strings()) == ["two\nlines  [31m"]


def test_no_user_sees_what_another_typed(tmp_path: Path) -> None:
    names = ["anna", "../anna", "Anna", "", "a/b", "\ud800"]
    paths = {history_file(tmp_path, name) for name in names}
    assert len(paths) == len(names)
    assert {path.parent for path in paths} == {tmp_path / "typed"}
