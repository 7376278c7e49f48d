from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.console import CHUNK_BYTES, MAX_LINE_BYTES, LineSplitter, decode_line, read_lines
from memory.errors import MessageRefused


@given(st.lists(st.binary(max_size=9)))
def test_lines_do_not_depend_on_how_the_bytes_arrive(chunks: list[bytes]) -> None:
    splitter = LineSplitter()
    lines = [line for chunk in chunks for line in splitter.add(chunk)] + list(splitter.end())
    whole = b"".join(chunks)
    assert lines == (whole.removesuffix(b"\n").split(b"\n") if whole else [])


def test_of_a_line_without_end_little_is_held() -> None:
    splitter = LineSplitter()
    for _ in range(30):
        assert list(splitter.add(b"x" * CHUNK_BYTES)) == []
    [line, following] = splitter.add(b"\nok\n")
    assert len(line) == MAX_LINE_BYTES + 1
    assert following == b"ok"
    with pytest.raises(MessageRefused, match=r"longer than 100,000"):
        decode_line(line)


@pytest.mark.parametrize("line", [b"\xff", b"caf\xe9", b"\xed\xa0\x80"])
def test_what_is_not_utf8_is_refused_with_the_byte(line: bytes) -> None:
    with pytest.raises(MessageRefused, match=r"byte \d of it is not UTF-8"):
        decode_line(line)


def test_a_byte_order_mark_is_not_part_of_the_message() -> None:
    assert decode_line("\ufeffhéllo".encode()) == "héllo"


async def test_a_pipe_is_read_to_its_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one\n\ntwo")
    os.close(writing)
    assert [line async for line in read_lines(reading)] == [b"one", b"", b"two"]
    os.close(reading)
