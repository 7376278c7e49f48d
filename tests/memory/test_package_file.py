from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest

from memory.errors import ModelFileChanged
from memory.package_files import LoadedOnce, check_sha256, read_package_file


def test_a_file_is_read_without_running_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package_that_cannot_run"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError")
    (package / "model.bin").write_bytes(b"abc")
    monkeypatch.syspath_prepend(tmp_path)
    assert read_package_file(package.name, "model.bin") == b"abc"


@pytest.mark.parametrize(("package", "path"), [("not_installed", "a"), ("numpy", "not.there")])
def test_what_is_missing_is_named(package: str, path: str) -> None:
    with pytest.raises(ModelFileChanged, match=f"{package}/{path}"):
        read_package_file(package, path)


def test_other_content_is_refused() -> None:
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # of "abc"
    check_sha256(b"abc", sha256, "model.onnx")
    with pytest.raises(ModelFileChanged, match=r"model\.onnx"):
        check_sha256(b"abd", sha256, "model.onnx")


THREADS = 8


def test_a_model_that_many_threads_ask_for_is_loaded_once() -> None:
    begun: list[object] = []
    twice = Event()

    @LoadedOnce
    def load() -> object:
        begun.append(object())
        if len(begun) > 1:
            twice.set()
        twice.wait(0.2)  # as slow as a model is, unless a second load shows itself
        return begun[-1]

    together = Barrier(THREADS)

    def ask(_thread: int) -> object:
        together.wait(30)
        return load()

    with ThreadPoolExecutor(THREADS) as threads:
        assert len(set(threads.map(ask, range(THREADS)))) == 1
    assert len(begun) == 1
    load.cache_clear()
    assert load() is not begun[0]
