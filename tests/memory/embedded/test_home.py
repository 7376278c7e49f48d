from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import ServiceStartFailed
from memory.local_services.data_folder import DataFolder

names = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@given(st.lists(names.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=4))
def test_the_sockets_always_fit_into_a_sockets_address(parts: list[str]) -> None:
    home = DataFolder(Path("/nowhere", *parts))
    assert len(os.fsencode(home.sockets / ".s.PGSQL.5432")) <= 103
    assert "," not in str(home.sockets)
    assert home.sockets == DataFolder(home.root).sockets


@given(st.integers(100, 200), st.integers(100, 200))
def test_long_homes_do_not_share_their_sockets(first: int, second: int) -> None:
    same = DataFolder(Path("/", "a" * first)).sockets == DataFolder(Path("/", "a" * second)).sockets
    assert same == (first == second)


def test_it_is_private_whatever_it_was(tmp_path: Path) -> None:
    home = DataFolder(tmp_path / "new" / "home")
    home.root.mkdir(parents=True)
    home.root.chmod(0o755)
    home.prepare()
    home.logs.chmod(0o755)
    home.prepare()
    assert {mode(folder) for folder in (home.root, home.logs, home.locks, home.sockets)} == {0o700}
    assert mode(home.change_lock) == 0o600


def test_a_folder_with_other_things_in_it_keeps_its_mode_and_owner(tmp_path: Path) -> None:
    root = tmp_path / "shared"
    root.mkdir()
    (root / "thesis.txt").write_text("mine")
    root.chmod(0o755)
    DataFolder(root).prepare()
    DataFolder(root).prepare()
    assert mode(root) == 0o755
    assert root.stat().st_uid == os.getuid()
    assert mode(DataFolder(root).locks) == 0o700


def test_two_ways_to_write_it_are_one_home(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert DataFolder(tmp_path / "link").root == DataFolder(tmp_path / "real" / ".." / "real").root


def test_a_link_in_the_place_of_the_sockets_is_refused(tmp_path: Path) -> None:
    home = DataFolder(tmp_path / "home")
    home.root.mkdir()
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    home.sockets.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ServiceStartFailed, match="it is not a folder"):
        home.prepare()
    assert mode(tmp_path / "elsewhere") == 0o755


def test_what_is_written_is_whole_and_private(tmp_path: Path) -> None:
    home = DataFolder(tmp_path / "home")
    home.prepare()
    file = home.valkey_data / "some.conf"
    home.write(file, "one\n")
    home.write(file, "two\n")
    assert file.read_text() == "two\n"
    assert mode(file) == 0o600
    assert [path.name for path in home.valkey_data.iterdir()] == ["some.conf"]
