from __future__ import annotations

from pathlib import Path

from app.terminal.session import PromptHistory, delete_history, history_file, remove_mentions


def entries(path: Path) -> list[str]:
    """What the arrow keys would find tomorrow, the newest first."""
    return list(PromptHistory(path).load_history_strings())


def test_what_was_typed_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = history_file(tmp_path, "anna")
    PromptHistory(path).store_string("two\nlines \ud800 \x1b[31m")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert entries(path) == ["two\nlines  [31m"]


def test_no_user_sees_what_another_typed(tmp_path: Path) -> None:
    names = ["anna", "../anna", "Anna", "", "a/b", "\ud800"]
    paths = {history_file(tmp_path, name) for name in names}
    assert len(paths) == len(names)
    assert {path.parent for path in paths} == {tmp_path / "typed"}


def test_secrets_are_not_written_down(tmp_path: Path) -> None:
    path = history_file(tmp_path, "anna")
    PromptHistory(path).append_string("my card is 4111 1111 1111 1111")
    assert "4111" not in path.read_text()


def test_nothing_is_written_down_while_it_must_not_be(tmp_path: Path) -> None:
    path = history_file(tmp_path, "anna")
    incognito = False
    history = PromptHistory(path, writes=lambda: not incognito)
    history.append_string("before")
    incognito = True
    history.append_string("secretly")
    incognito = False
    history.append_string("after")
    assert entries(path) == ["after", "before"]


def test_what_was_forgotten_goes_and_the_rest_stays_in_its_order(tmp_path: Path) -> None:
    path = history_file(tmp_path, "anna")
    history = PromptHistory(path)
    for typed in ("one", "remember that I live in Oslo", "two\nlines", "three"):
        history.append_string(typed)
    remove_mentions(path, ["I live in Oslo"])
    assert entries(path) == ["three", "two\nlines", "one"]
    assert "Oslo" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_erasing_the_user_removes_the_file(tmp_path: Path) -> None:
    path = history_file(tmp_path, "anna")
    remove_mentions(path, ["nothing was typed yet"])
    PromptHistory(path).append_string("one")
    delete_history(path)
    assert not path.exists()
    delete_history(path)
