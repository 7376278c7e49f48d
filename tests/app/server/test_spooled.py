from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.api.limits import spool_body
from memory.errors import NoRoom

MEGABYTE = b"x" * 1_000_000


async def of(*said: bytes) -> AsyncIterator[bytes]:
    for piece in said:
        yield piece


async def test_what_came_is_read_from_its_beginning_and_has_no_name(tmp_path: Path) -> None:
    said = [b"one", MEGABYTE, b"", MEGABYTE, b"two"]
    spooled = await spool_body(of(*said), tmp_path)
    assert [*tmp_path.iterdir()] == []
    assert (spooled.size, spooled.digest) == (
        len(b"".join(said)),
        hashlib.sha256(b"".join(said)).hexdigest(),
    )
    assert b"".join(spooled.pieces()) == b"".join(said)
    assert spooled.file.closed


async def test_a_disk_that_is_nearly_full_takes_what_is_small_and_nothing_large(
    tmp_path: Path,
) -> None:
    small = await spool_body(of(b"one"), tmp_path, kept_free=1 << 62)
    assert [*small.pieces()] == [b"one"]
    with pytest.raises(NoRoom, match="nearly full"):
        await spool_body(of(MEGABYTE, MEGABYTE), tmp_path, kept_free=1 << 62)


async def test_what_breaks_off_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield MEGABYTE
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await spool_body(broken(), tmp_path)
