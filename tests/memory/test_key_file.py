from __future__ import annotations

import stat
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from memory.config.digest_key import KEY_BYTES, load_key_file, write_key_file
from memory.errors import InvalidSettings


def test_it_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "digest.key"
    key = load_key_file(path)
    assert len(key) == KEY_BYTES
    assert load_key_file(path) == key == path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_nothing_else_is_left(tmp_path: Path) -> None:
    load_key_file(tmp_path / "digest.key")
    assert [each.name for each in tmp_path.iterdir()] == ["digest.key"]


def test_no_two_keys_are_the_same(tmp_path: Path) -> None:
    assert load_key_file(tmp_path / "one") != load_key_file(tmp_path / "other")


def test_processes_that_race_get_one_key(tmp_path: Path) -> None:
    path = tmp_path / "digest.key"
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        keys = set(processes.map(load_key_file, [path] * 16))
    assert keys == {path.read_bytes()}


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_another_length_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "digest.key"
    path.write_bytes(content)
    with pytest.raises(InvalidSettings, match=rf"holds {len(content)} bytes and not 32"):
        load_key_file(path)
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file" / "digest.key", tmp_path):
        with pytest.raises(InvalidSettings, match="cannot be used") as caught:
            load_key_file(path)
        assert str(path) in str(caught.value)


def test_a_key_of_a_backup_takes_the_place_of_another(tmp_path: Path) -> None:
    file, key = tmp_path / "digest.key", bytes(range(32))
    load_key_file(file)
    write_key_file(file, key)
    assert load_key_file(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_no_key_is_not_put_there(tmp_path: Path) -> None:
    file = tmp_path / "digest.key"
    key = load_key_file(file)
    with pytest.raises(InvalidSettings):
        write_key_file(file, b"short")
    assert load_key_file(file) == key
