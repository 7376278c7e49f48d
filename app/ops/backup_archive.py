"""The file of a backup, a ZIP archive of rows and of nothing that could be run, and the folders and
databases that a backup works in."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Annotated, Literal, ParamSpec, TypeVar

from pydantic import Field, StringConstraints, ValidationError

from memory.config import MAX_DIMENSIONS
from memory.config.digest_key import KEY_BYTES
from memory.errors import BackupDamaged, InvalidInput, RestoreRefused
from memory.local_services.process import FileLock
from memory.types import FrozenModel
from migrations.scratch import abandoned_databases, drop_abandoned

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


async def run_to_completion(
    work: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs
) -> Answer:
    """A thread cannot be cancelled: who is cancelled meanwhile waits for its end, so that nothing
    is written any more when they tidy up."""
    thread = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        await asyncio.wait({thread})
        raise


# A backup, its drill or a restore that was killed leaves a copy of everybody's data behind, in a
# folder or as a database.
WORK_FOLDER_PREFIX = ".keepsake-"
DRILL = "keepsake_drill"
_CLAIM = "in-use.lock"


@contextmanager
def work_folder(beside: Path) -> Iterator[Path]:
    """A private folder (0700) on the disk of `beside`, gone in the end. Raises InvalidInput."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=WORK_FOLDER_PREFIX, dir=beside)
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


def claim(workplace: Path) -> FileLock:
    """Held as long as the workplace is used. The lock is there before its name is, so that nobody
    finds the one without the other. On a disk that knows no locks there is none, and nobody ever
    takes the workplace for abandoned."""
    draft = workplace / f"{_CLAIM}.draft"
    lock = FileLock(draft)
    with suppress(OSError):
        lock.try_exclusive()
        draft.rename(workplace / _CLAIM)
    return lock


def abandoned_work_folders(beside: Path) -> list[Path]:
    """Those whose program has ended. Blocks."""
    return sorted(path for path in beside.glob(f"{WORK_FOLDER_PREFIX}*") if _is_abandoned(path))


def delete_work_folders(beside: Path) -> None:
    """Removes those whose program has ended. Blocks."""
    for path in abandoned_work_folders(beside):
        shutil.rmtree(path, ignore_errors=True)


async def delete_leftovers(beside: Path, url: str) -> None:
    """Removes what earlier backups left beside this one, and on the server of `url`."""
    await run_to_completion(delete_work_folders, beside)
    await drop_abandoned(url, DRILL)


async def abandoned_drills(url: str) -> list[str]:
    """Databases of drills that nobody is at any more. Raises DatabaseUnavailable."""
    return await abandoned_databases(url, DRILL)


def _is_abandoned(path: Path) -> bool:
    """Only what has a lock of ours can be one, whatever else has such a name."""
    lock = path / _CLAIM
    with suppress(OSError):
        if path.is_symlink() or lock.stat().st_uid != os.geteuid():
            return False
        held = FileLock(lock)
        try:
            return held.try_exclusive()
        finally:
            held.release()
    return False


FORMAT: Literal[2] = 2
MANIFEST = "manifest.json"
KEY = "digest.key"
MANIFEST_BYTES = 1_000_000
CHUNK_BYTES = 1_000_000
LIST_BYTES = 4_000_000
TAR_HEAD_BYTES = 262
# No packing by deflate makes less of anything. What says it holds more was made to fill a disk.
MOST_SHRINKING = 1032

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Words = Annotated[str, StringConstraints(pattern=r"^[\w .,+()\[\]-]{1,200}$")]


class TableRows(FrozenModel):
    """`columns` are names with PostgreSQL's types; `bytes` and `sha256` are of the rows before they
    were compressed."""

    columns: tuple[tuple[Words, Words], ...]
    rows: Annotated[int, Field(ge=0)]
    bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256


class Manifest(FrozenModel):
    """What a backup says of itself. `schema_version` is the number of the last migration, `model`
    and `dimensions` are those of the vectors."""

    format: Literal[2] = 2
    made_at: datetime
    keepsake: Annotated[str, StringConstraints(pattern=r"^[\w.+-]{1,40}$")]
    schema_version: Annotated[int, Field(ge=1, le=9_999)]
    model: Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]{1,200}$")]
    dimensions: Annotated[int, Field(ge=1, le=MAX_DIMENSIONS)]
    tables: Mapping[Words, TableRows]
    key_sha256: Sha256 | None

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def bytes(self) -> int:
        return sum(table.bytes for table in self.tables.values())


class ArchiveWriter:
    """Fills the archive part by part; the manifest comes last."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.tables: dict[str, TableRows] = {}

    def add(self, name: str, content: bytes) -> None:
        self._archive.writestr(name, content)

    @contextmanager
    def table(self, name: str) -> Iterator[RowsWriter]:
        with self._archive.open(_part_of(name), "w", force_zip64=True) as stream:
            yield RowsWriter(stream)


class RowsWriter:
    """Takes the rows of one table; small pieces are gathered, since each write is a hop to a
    thread."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self._waiting = bytearray()
        self.bytes = 0

    async def write(self, piece: bytes) -> None:
        self._waiting += piece
        if len(self._waiting) >= CHUNK_BYTES:
            await self.flush()

    async def flush(self) -> None:
        chunk, self._waiting = bytes(self._waiting), bytearray()
        await run_to_completion(self._put, chunk)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def _put(self, chunk: bytes) -> None:
        self._digest.update(chunk)
        self._stream.write(chunk)
        self.bytes += len(chunk)


@contextmanager
def new_archive(file: Path) -> Iterator[ArchiveWriter]:
    """What is written into it takes the name of `file` at the end. Raises InvalidInput where there
    is such a file by then, or nothing can be written beside it; no file is left behind."""
    with work_folder(file.parent) as folder:
        draft = folder / "backup.zip"
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w+b") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                yield ArchiveWriter(archive)
            stream.flush()
            os.fsync(stream.fileno())
        put_in_place(draft, file)


class Archive:
    """A backup that is read. Every method raises BackupDamaged for what is not as the manifest
    says, as soon as that shows."""

    def __init__(self, file: Path, archive: zipfile.ZipFile) -> None:
        self.file = file
        self._archive = archive
        self.manifest = self._read_manifest()
        self._refuse_strange_parts()

    async def rows(self, table: str) -> AsyncGenerator[bytes]:
        """The rows of a table, bit by bit. At their end it is known whether they were whole."""
        said = self.manifest.tables[table]
        digest, count = hashlib.sha256(), 0
        with self._reading(), self._archive.open(_part_of(table)) as stream:
            while chunk := await run_to_completion(self._chunk, stream):
                digest.update(chunk)
                count += len(chunk)
                if count > said.bytes:
                    break
                yield chunk
        if (count, digest.hexdigest()) != (said.bytes, said.sha256):
            raise self.damaged("rows in it were changed")

    async def check(self) -> AsyncGenerator[int]:
        """Reads every part to its end, and says how many bytes each piece had."""
        self.key()
        for table in self.manifest.tables:
            async for chunk in self.rows(table):
                yield len(chunk)

    def key(self) -> bytes | None:
        """The key of the digests, if it is in it."""
        if self.manifest.key_sha256 is None:
            return None
        with self._reading():
            key = self._read(KEY, KEY_BYTES)
        if hashlib.sha256(key).hexdigest() != self.manifest.key_sha256 or len(key) != KEY_BYTES:
            raise self.damaged(f"{KEY} in it was changed")
        return key

    def damaged(self, reason: str) -> BackupDamaged:
        return BackupDamaged(file=self.file, reason=reason)

    def _read_manifest(self) -> Manifest:
        with self._reading():
            said = self._read(MANIFEST, MANIFEST_BYTES)
            if len(said) > MANIFEST_BYTES:
                raise self.damaged("its manifest is too large")
            _refuse_newer_format(said)
            return Manifest.model_validate_json(said)

    def _refuse_strange_parts(self) -> None:
        """Each part is there once, is one that the manifest names, and can be as large as it
        says."""
        sizes = {_part_of(name): table.bytes for name, table in self.manifest.tables.items()}
        sizes |= {} if self.manifest.key_sha256 is None else {KEY: KEY_BYTES}
        parts = self._archive.infolist()
        if sorted(part.filename for part in parts) != sorted([MANIFEST, *sizes]):
            raise self.damaged("its parts are not those that its manifest names")
        if sum(part.compress_size for part in parts) > self.file.stat().st_size:
            raise self.damaged("its parts are larger than it is")
        for part in parts:
            said = sizes.get(part.filename, part.file_size)
            if part.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
                raise self.damaged("a part of it is packed in a way that no backup is")
            if part.file_size != said or said > MOST_SHRINKING * (part.compress_size + 1):
                raise self.damaged("a part of it says that it is larger than it can be")

    def _read(self, name: str, most: int) -> bytes:
        """A byte more than `most` at most, however much is packed into it."""
        with self._archive.open(name) as stream:
            return stream.read(most + 1)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (
            *(zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError),
            *(RuntimeError, NotImplementedError, OSError, ValidationError),
        ) as error:
            raise self.damaged(f"it cannot be read ({type(error).__name__})") from error

    def _chunk(self, stream: IO[bytes]) -> bytes:
        return stream.read(CHUNK_BYTES)


@contextmanager
def open_archive(file: Path) -> Iterator[Archive]:
    """Raises BackupDamaged for what is no backup, and RestoreRefused for one of another format.
    Reads no more than the list of parts and the manifest."""
    if not file.is_file():  # a pipe, which would be waited for
        raise BackupDamaged(file=file, reason="it is no file")
    try:
        with _BoundedFile(io.FileIO(file)) as stream:
            _refuse_old_format(stream)
            opened = zipfile.ZipFile(stream)
            with opened:
                yield Archive(file, opened)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        reason = f"it cannot be read ({type(error).__name__})"
        raise BackupDamaged(file=file, reason=reason) from error


def refuse_existing(file: Path) -> None:
    """Raises InvalidInput: a backup never takes the place of another file."""
    if file.exists() or file.is_symlink():
        raise _taken(file)


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


def _part_of(table: str) -> str:
    return f"tables/{table}.copy"


def _taken(file: Path) -> InvalidInput:
    return InvalidInput(reason=f"{file} is there already. Name another file.")


def _refuse_newer_format(said: bytes) -> None:
    format_of = json.loads(said)
    number = format_of.get("format") if isinstance(format_of, dict) else None
    if isinstance(number, int) and number > FORMAT:
        raise RestoreRefused(
            reason=f"the backup is of format {min(number, 9_999)}, and this program reads "
            f"{FORMAT}. Install the newest Keepsake"
        )


def _refuse_old_format(stream: IO[bytes]) -> None:
    """Until format 1 a backup was a tar with a dump in it, whose restore ran whatever it said."""
    head = stream.read(TAR_HEAD_BYTES)
    stream.seek(0)
    if head.startswith(MANIFEST.encode()) and head.endswith(b"ustar"):
        raise RestoreRefused(
            reason="the backup is of format 1, which could hold programs and is no longer read. "
            "Restore it with the Keepsake that made it, if you know who made the file; export each "
            "user's memories there, and import them here. Make new backups with this version"
        )


class _BoundedFile(io.BufferedReader):
    """A list of parts that says it is longer than any is never read into memory."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = LIST_BYTES
        elif size > LIST_BYTES:
            raise zipfile.BadZipFile
        return super().read(size)
