"""Who asks is found out before the body is read, and no body holds the others up."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from app.api.auth.caller import Caller
from app.api.dependencies import MAX_JSON_VALUES, ApiServices, has_too_many_values
from app.api.limits import RateLimit, RateLimits
from tests.app.rest.test_strangers import ROUTES, SIGNING_IN
from tests.app.serving import NamedCaller, as_user, serving

TYPED = {"Content-Type": "application/json"}
IMPORT = "/v1/memory/import"
ASKING = [each for each in ROUTES if each[1] not in SIGNING_IN]


class Counting(NamedCaller):
    def __init__(self) -> None:
        self.asked = 0

    async def identify(self, connection: HTTPConnection) -> Caller:
        self.asked += 1
        return await super().identify(connection)


async def test_not_a_byte_is_read_of_nobodys_body(anyone: httpx2.AsyncClient) -> None:
    for method, path in ASKING:
        read = list[bytes]()

        async def body(read: list[bytes] = read) -> AsyncIterator[bytes]:
            for piece in (b'{"text":[[', b"],[", b"]"):
                read.append(piece)
                yield piece

        answer = await anyone.request(method, path, content=body(), headers=TYPED)

        assert answer.status_code == 401, (method, path)
        assert len(read) <= 1, (method, path)  # what the test's transport had in hand


async def test_nobody_is_told_what_is_wrong_with_a_body(anyone: httpx2.AsyncClient) -> None:
    for content in (b"{", b"[" * 5000, b"[[]," * 5000, b"{}"):
        answer = await anyone.post(IMPORT, content=content, headers=TYPED)
        assert answer.status_code == 401


async def test_a_request_is_identified_and_counted_once(served: ApiServices, user_id: str) -> None:
    identifier = Counting()
    limits = RateLimits(RateLimit(2), RateLimit(0))
    async with serving(replace(served, identifier=identifier, limits=limits)) as client:
        client.headers.update(as_user(user_id))
        first = await client.post(IMPORT, json={"text": "- I own a kayak"})
        second = await client.get("/v1/me")
        third = await client.get("/v1/me")

    assert [each.status_code for each in (first, second, third)] == [200, 200, 429]
    assert identifier.asked == 3


@pytest.mark.parametrize("path", [IMPORT, "/v1/memory/search", "/v1/chat"])
async def test_a_body_of_too_many_values_is_not_parsed(
    client: httpx2.AsyncClient, path: str
) -> None:
    answer = await client.post(path, content=b'{"text":[' + b"[]," * 100_000, headers=TYPED)

    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:keepsake:invalid-input"


async def test_what_is_nested_too_deeply_is_refused(client: httpx2.AsyncClient) -> None:
    answer = await client.post(IMPORT, content=b"[" * (MAX_JSON_VALUES - 1), headers=TYPED)

    assert answer.status_code in {400, 422}


def test_what_stands_within_a_text_is_not_counted() -> None:
    assert not has_too_many_values(json.dumps({"text": '[{,"\\' * 10_000}).encode(), 5)
    assert not has_too_many_values(json.dumps({"text": '[{,"\\' * 10_000}).encode("utf-16"), 5)


@pytest.mark.parametrize("body", [b"", b'{"text', b'{"text":"\\', b'"\xff', b"\xff\xfe"])
def test_what_cannot_be_read_is_left_to_the_parser(body: bytes) -> None:
    assert not has_too_many_values(body, 5)


NESTED = st.recursive(
    st.text() | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_bytes_that_only_the_parser_takes_hide_nothing() -> None:
    assert has_too_many_values(b'["\xed\xa0\x80"' + b",[]" * 10, 5)


@given(NESTED)
def test_never_fewer_than_there_are(value: object) -> None:
    body = json.dumps(value).encode()
    assert has_too_many_values(body, _containers(value) - 1)
    assert not has_too_many_values(body, len(body) + 1)


def _containers(value: object) -> int:
    """Lists, objects and texts."""
    if isinstance(value, dict):
        return 1 + sum(1 + _containers(each) for each in value.values())
    if isinstance(value, list):
        return 1 + sum(map(_containers, value))
    return int(isinstance(value, str))
