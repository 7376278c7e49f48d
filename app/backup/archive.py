"""The file of a backup: a tar with the manifest first. It appears whole or not at all, and only its
owner can read it."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from app.backup.left_over import WORKPLACE, claim
from app.backup.manifest import Manifest
from memory.errors import BackupDamaged, InvalidInput

MANIFEST = "manifest.json"
DUMP = "database.dump"
KEY = "digest.key"
MEMBERS = {MANIFEST, DUMP, KEY}
MANIFEST_BYTES = 10_000_000
COPY_BYTES = 1_000_000


@contextmanager
def workplace(beside: Path) -> Iterator[Path]:
    """A private folder (0700) on the disk of `beside`, gone in the end. Raises InvalidInput."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=WORKPLACE, dir=beside)
        lock = claim(Path(folder.name))
    except OSError as error:
        raise InvalidInput(
            reason=f"Nothing can be written in {beside} ({error.strerror}). Name another folder."
        ) from error
    try:
        with folder as path:
            yield Path(path)
    finally:
        lock.release()


def refuse_existing(file: Path) -> None:
    """Raises InvalidInput: a backup never takes the place of another file."""
    if file.exists() or file.is_symlink():
        raise _taken(file)


def write_archive(file: Path, folder: Path, manifest: Manifest) -> None:
    """Puts the files of the folder that the manifest names into `file`. Blocks. Raises
    InvalidInput where there is such a file by now."""
    draft = folder / "backup.tar"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
            _add(tar, MANIFEST, manifest.model_dump_json(indent=2).encode())
            for name in manifest.files:
                tar.add(folder / name, name, filter=_private)
        stream.flush()
        os.fsync(stream.fileno())
    put_in_place(draft, file)


def put_in_place(draft: Path, file: Path) -> None:
    """Gives the draft its name, by a link, because that fails where the name was taken meanwhile.
    Raises InvalidInput."""
    try:
        os.link(draft, file)
    except FileExistsError as error:
        raise _taken(file) from error
    except OSError:  # a disk that knows no links, as memory sticks do not
        refuse_existing(file)
        draft.rename(file)


def read_archive(file: Path, folder: Path) -> Manifest:
    """Unpacks a backup into the folder and checks each part. Blocks. Raises BackupDamaged."""
    try:
        with tarfile.open(file, mode="r:") as tar:
            manifest = _manifest(tar)
            for name in manifest.files:
                _unpack(tar, name, folder)
    except (tarfile.TarError, OSError, KeyError, ValidationError, EOFError) as error:
        raise BackupDamaged(
            file=file, reason=f"it cannot be read ({type(error).__name__})"
        ) from error
    for name, digest in manifest.files.items():
        if digests(folder, [name])[name] != digest:
            raise BackupDamaged(file=file, reason=f"{name} in it was changed")
    return manifest


def digests(folder: Path, names: list[str]) -> Mapping[str, str]:
    """SHA-256 in hexadecimal by name. Blocks."""
    found = {}
    for name in names:
        with (folder / name).open("rb") as stream:
            found[name] = hashlib.file_digest(stream, "sha256").hexdigest()
    return found


def _taken(file: Path) -> InvalidInput:
    return InvalidInput(reason=f"{file} is there already. Name another file.")


def _manifest(tar: tarfile.TarFile) -> Manifest:
    manifest = Manifest.model_validate_json(_open(tar, MANIFEST).read(MANIFEST_BYTES))
    if not set(manifest.files) < MEMBERS or DUMP not in manifest.files:
        raise KeyError(MANIFEST)
    return manifest


def _unpack(tar: tarfile.TarFile, name: str, folder: Path) -> None:
    with (folder / name).open("xb") as stream:
        shutil.copyfileobj(_open(tar, name), stream, COPY_BYTES)


def _open(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    stream = tar.extractfile(tar.getmember(name))
    if stream is None:  # a folder, or something stranger
        raise KeyError(name)
    return stream


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = _private(tarfile.TarInfo(name))
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def _private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mode = 0o600
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
