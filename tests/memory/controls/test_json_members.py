from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.json_stream import MOST_ELEMENT_CHARS, read_json_members
from memory.errors import InvalidInput
from tests.memory.growth import grows_too_fast
from tests.tables import refusal

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


class Drops(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or -1, 3))


@given(st.dictionaries(TEXTS, VALUES, max_size=5), st.booleans())
def test_every_member_of_an_object_is_read_wherever_a_piece_of_the_file_ends(
    data: dict[str, object], indented: bool
) -> None:
    said = json.dumps(data, indent=1 if indented else None, ensure_ascii=not indented)
    found: list[tuple[str, object]] = []
    for name, value in data.items():
        found += [(name, each) for each in value] if isinstance(value, list) else [(name, value)]
    assert list(read_json_members(Drops(said.encode()), data.keys())) == found


@given(VALUES, st.integers())
def test_what_is_not_wanted_is_passed_over(value: object, after: int) -> None:
    said = json.dumps({"passed": value, "after": after}).encode()
    names = [name for name, _ in read_json_members(Drops(said), {"after"})]
    assert names[-1] == "after"
    assert ("after", after) in list(read_json_members(io.BytesIO(said), {"after"}))


def wanted(said: str) -> list[object]:
    return list(read_json_members(io.BytesIO(said.encode()), {"a"}))


DAMAGED = [
    "",
    "[",
    "{",
    '{"a"',
    '{"a":',
    '{"a":[1,',
    '{"a":[1}',
    '{"a":1}}',
    '{"a":1,}',
    "{1:1}",
    '{"a":[NaN]}',
    '{"a":"\\',
    '{"b":["\\',
    '{"b":[[[',
    '{"a":' + "9" * 5000 + "}",
    '{"a":' + "[" * 1_000_000,
    '{"b":' + "[" * 1_000_000,
    '{"b":' + '{"b":' * 1_000_000,
    '{"a":"' + "x" * 3 * MOST_ELEMENT_CHARS + '"}',
]


def test_what_is_damaged_or_hostile_is_refused_with_a_sentence() -> None:
    told = [(said[:12], refusal(InvalidInput, wanted, said)) for said in DAMAGED]
    assert [(said, reason) for said, reason in told if not (reason or "").endswith(".")] == []


def test_time_grows_with_the_depth_and_no_faster() -> None:
    def passed_over(said: str) -> object:
        return refusal(InvalidInput, wanted, '{"b":' + said)

    def read(said: str) -> object:
        return refusal(InvalidInput, wanted, '{"a":' + said)

    assert grows_too_fast(read, ["["], length=1_000_000) == []
    assert grows_too_fast(passed_over, ["[", '{"b":'], length=1_000_000) == []


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InvalidInput, match="UTF-8"):
        list(read_json_members(io.BytesIO(b'{"a":"\xff"}'), {"a"}))


def test_little_of_a_large_file_is_held() -> None:
    row = json.dumps({"content": "x" * 900})
    said = '{"passed":[' + ",".join([row] * 20_000) + '],"a":[' + ",".join([row] * 20_000) + "]}"
    file = io.BytesIO(said.encode())
    tracemalloc.start()
    assert sum(1 for _ in read_json_members(file, {"a"})) == 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(said) / 8
