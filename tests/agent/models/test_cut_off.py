from __future__ import annotations

import json
from itertools import pairwise

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.models.streams import CHAT_PATH, CompleteStream, refuse_cut_off
from tests.agent.wire import Line

SAID = 'It says "finish_reason": "stop", and\ndata: [DONE]\n'
CHUNK = b"data: " + json.dumps({"choices": [{"delta": {"content": SAID}}]}).encode() + b"\n\n"
UNFINISHED = b'data: {"choices": [{"delta": {}, "finish_reason": null}]}\n\n'
FINISH = b'data: {"choices": [{"delta": {}, "finish_reason" : "length"}]}\n\n'
DONE = b"data: [DONE]\n\n"


async def read(*parts: bytes) -> bytes:
    return b"".join([part async for part in CompleteStream(Line(*parts))])


def cut(content: bytes, places: list[int]) -> list[bytes]:
    bounds = [0, *sorted(place % len(content) for place in places), len(content)]
    return [content[a:b] for a, b in pairwise(bounds)]


@given(st.sampled_from([DONE, FINISH, FINISH + DONE]), st.lists(st.integers(0, 500), max_size=8))
async def test_a_stream_with_an_end_is_whole_in_whatever_parts_it_comes(
    end: bytes, places: list[int]
) -> None:
    content = CHUNK + UNFINISHED + end
    assert await read(*cut(content, places)) == content


@given(st.lists(st.integers(0, 500), max_size=8))
@example([CHUNK.index(b"data: [DONE]") + 64])
async def test_a_stream_without_one_was_cut_off(places: list[int]) -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        await read(*cut(CHUNK + UNFINISHED, places))


@pytest.mark.parametrize("nothing", [b"", b": still here\n\n"])
async def test_one_that_said_nothing_is_left_to_its_reader(nothing: bytes) -> None:
    assert await read(nothing) == nothing


@pytest.mark.parametrize(
    ("path", "headers", "watched"),
    [
        (CHAT_PATH, {"content-type": "text/event-stream; charset=utf-8"}, True),
        (CHAT_PATH, {"content-type": "application/json"}, False),
        (CHAT_PATH, {"content-type": "text/event-stream", "content-encoding": "gzip"}, False),
        ("/responses", {"content-type": "text/event-stream"}, False),
    ],
    ids=["a stream", "an answer", "a packed stream", "another interface"],
)
async def test_what_is_watched(path: str, headers: dict[str, str], watched: bool) -> None:
    request = httpx2.Request("POST", f"http://llm.example.org/v1{path}")
    response = httpx2.Response(200, headers=headers, stream=Line(CHUNK), request=request)
    await refuse_cut_off(response)
    assert isinstance(response.stream, CompleteStream) is watched
