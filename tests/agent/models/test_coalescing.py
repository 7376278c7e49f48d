from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.streams import (
    LONGEST_PAUSE,
    PIECES_A_SECOND,
    SHORTEST_PAUSE,
    CoalescingStream,
    PieceBuffer,
    TextCoalescer,
    pause_between,
)
from tests.agent.models.test_cut_off import cut
from tests.agent.wire import Api, Event, Line, begun_text, sent, text
from tests.memory.guard.clock import Clock

APIS: tuple[Api, ...] = ("responses", "chat_completions")
TEXTS = st.lists(st.tuples(st.text(min_size=1, max_size=5), st.floats(0, 0.3)), max_size=60)
END = b"data: [DONE]"


def events_of(content: bytes) -> list[dict[str, Any]]:
    """What the client reads of it, without the [DONE]."""
    lines = [line for line in content.split(b"\n") if line.startswith(b"data:")]
    return [json.loads(line[5:]) for line in lines if line != END]


def said(event: dict[str, Any]) -> str:
    if "delta" in event:
        return str(event["delta"])
    choices = event.get("choices") or [{"delta": {}}]
    return str(choices[0]["delta"].get("content") or "")


def texts_of(content: bytes) -> list[str]:
    return [said(event) for event in events_of(content)]


def pieces_of(api: Api, *pieces: str) -> list[bytes]:
    return [sent(event).removesuffix(b"\n\n") for event in begun_text(api, *pieces)]


def passed_on(api: Api, given_out: Sequence[tuple[str, float]]) -> list[tuple[float, bytes]]:
    """What came of each event, with the second in which it was passed on; the last is the end."""
    pieces, now = PieceBuffer(), 0.0
    told = []
    for event, (_, pause) in zip(
        pieces_of(api, *(t for t, _ in given_out)), given_out, strict=True
    ):
        now += pause
        told += [(now, due)] if (due := pieces.take(event, now, SHORTEST_PAUSE)) else []
    return [*told, (now, pieces.take(END, now, SHORTEST_PAUSE))]


@pytest.mark.parametrize("api", APIS)
@given(given_out=TEXTS)
def test_no_text_is_lost_or_moved(api: Api, given_out: list[tuple[str, float]]) -> None:
    content = b"".join(due for _, due in passed_on(api, given_out))
    assert content.endswith(END + b"\n\n")
    assert "".join(texts_of(content)) == "".join(piece for piece, _ in given_out)
    numbers = [int(event.get("sequence_number", -1)) for event in events_of(content)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("api", APIS)
@given(given_out=TEXTS)
def test_the_first_piece_goes_at_once_and_the_next_not_too_soon(
    api: Api, given_out: list[tuple[str, float]]
) -> None:
    *told, _ = passed_on(api, given_out)
    if given_out:
        assert told[0] == (given_out[0][1], pieces_of(api, given_out[0][0])[0] + b"\n\n")
    for (one, _), (other, _) in pairwise(told):
        assert other - one >= SHORTEST_PAUSE - 1e-9


@pytest.mark.parametrize("api", APIS)
@given(
    pieces=st.lists(st.text(max_size=5), max_size=20),
    places=st.lists(st.integers(0, 5000), max_size=20),
)
async def test_it_does_not_matter_in_what_parts_the_bytes_come(
    api: Api, pieces: list[str], places: list[int]
) -> None:
    whole = b"".join(sent(event) for event in text(api, *pieces))
    content = await read(CoalescingStream(Line(*cut(whole, places)), set(), Clock()))
    assert "".join(texts_of(content)) == "".join(pieces)
    others = [event for event in events_of(whole) if not said(event)]
    assert [event for event in events_of(content) if not said(event)] == others


async def read(stream: AsyncIterator[bytes] | CoalescingStream) -> bytes:
    return b"".join([part async for part in stream])


@pytest.mark.parametrize(
    "changed",
    [
        {"usage": {"prompt_tokens": 1}},
        {"choices": []},
        {"citations": ["a"]},
        {"error": {"message": "full"}},
        {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}]},
        {"choices": [{"index": 0, "delta": {"content": "x"}, "logprobs": {"content": [1]}}]},
        {"choices": [{"index": 0, "delta": {"content": "x", "tool_calls": [{"index": 0}]}}]},
        {"choices": [{"index": 0, "delta": {"content": "x", "reasoning_content": "so"}}]},
        {"choices": [{"index": 0, "delta": {"content": ""}}]},
        {"choices": [{"index": 0, "delta": None}]},
        {"choices": None},
    ],
    ids=str,
)
def test_whatever_else_an_event_says_is_passed_on_as_it_is_and_at_once(
    changed: dict[str, Any],
) -> None:
    chunk: Event = begun_text("chat_completions", "x")[0]
    assert isinstance(chunk, dict)
    event = sent(chunk | changed).removesuffix(b"\n\n")
    first, second = pieces_of("chat_completions", "a", "b")
    pieces = PieceBuffer()
    pieces.take(first, 0.0, SHORTEST_PAUSE)
    assert pieces.take(second, 0.0, SHORTEST_PAUSE) == b""
    assert pieces.take(event, 0.0, SHORTEST_PAUSE) == second + b"\n\n" + event + b"\n\n"


@pytest.mark.parametrize(
    "event",
    [b": ping", b"data: {", b"data: 5", b"data: \xff", b"retry: 1", b"id: 1\ndata: {}", b""],
)
def test_what_cannot_be_read_is_left_to_the_client(event: bytes) -> None:
    assert PieceBuffer().take(event, 0.0, SHORTEST_PAUSE) == event + b"\n\n"


def test_padding_and_the_second_in_which_a_piece_was_made_keep_none_apart() -> None:
    pieces, told = PieceBuffer(), []
    for number, event in enumerate(begun_text("chat_completions", "a", "b", "c")):
        assert isinstance(event, dict)
        odd = event | {"created": number, "obfuscation": "x" * number}
        told.append(pieces.take(sent(odd).removesuffix(b"\n\n"), 0.0, SHORTEST_PAUSE))
    assert [texts_of(each) for each in told] == [["a"], [], []]
    assert texts_of(pieces.rest()) == ["bc"]


def test_texts_of_two_parts_of_an_answer_stay_apart() -> None:
    pieces = PieceBuffer()
    [*events, last] = begun_text("responses", "a", "b", "c", "d")
    assert isinstance(last, dict)
    told = b"".join(
        pieces.take(sent(event).removesuffix(b"\n\n"), 0.0, SHORTEST_PAUSE)
        for event in (*events, last | {"content_index": 1})
    )
    assert texts_of(told + pieces.rest()) == ["a", "bc", "d"]
    assert pieces.rest() == b""


@pytest.mark.parametrize("api", APIS)
async def test_what_is_held_back_comes_before_the_error(api: Api) -> None:
    content = b"".join(sent(event) for event in begun_text(api, "a", "b", "c"))
    told = b""
    with pytest.raises(httpx2.ReadError):
        async for part in CoalescingStream(Line(content, breaks=True), set(), Clock()):
            told += part
    assert texts_of(told) == ["a", "bc"]


async def test_a_slow_model_is_passed_on_piece_by_piece() -> None:
    clock = Clock()

    class Slow(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for event in begun_text("responses", "a", "b", "c"):
                clock.pass_seconds(2 * SHORTEST_PAUSE)
                yield sent(event)

    assert texts_of(await read(CoalescingStream(Slow(), set(), clock))) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("headers", "joined"),
    [
        ({"content-type": "text/event-stream; charset=utf-8"}, True),
        ({"content-type": "application/json"}, False),
        ({"content-type": "text/event-stream", "content-encoding": "gzip"}, False),
    ],
    ids=["a stream", "an answer", "a packed stream"],
)
async def test_what_is_joined(headers: dict[str, str], joined: bool) -> None:
    response = httpx2.Response(200, headers=headers, stream=Line(END))
    await TextCoalescer()(response)
    assert isinstance(response.stream, CoalescingStream) is joined


def test_few_answers_are_passed_on_ten_times_a_second_and_many_seldom() -> None:
    assert pause_between(0) == pause_between(1) == pause_between(5) == SHORTEST_PAUSE
    assert pause_between(1000) == LONGEST_PAUSE


@given(streams=st.integers(6, 50))
def test_all_answers_together_have_so_many_pieces_a_second(streams: int) -> None:
    assert streams / pause_between(streams) == pytest.approx(PIECES_A_SECOND)


async def test_a_stream_is_under_way_from_its_first_byte_to_its_end_or_until_nobody_reads_it() -> (
    None
):
    under_way: set[CoalescingStream] = set()
    parts = [sent(event) for event in begun_text("responses", "a", "b")]
    read_on, left = (CoalescingStream(Line(*parts), under_way, Clock()) for _ in range(2))
    broken = CoalescingStream(Line(breaks=True), under_way, Clock())
    assert under_way == set()
    reading, leaving = aiter(read_on), aiter(left)
    await anext(reading)
    await anext(leaving)
    assert under_way == {read_on, left}
    await left.aclose()
    assert under_way == {read_on}
    with pytest.raises(httpx2.ReadError):
        await read(broken)
    await read(reading)
    assert under_way == set()


async def test_the_more_answers_are_read_the_larger_are_their_pieces() -> None:
    clock, under_way = Clock(), set[CoalescingStream]()
    under_way |= {CoalescingStream(Line(), under_way, clock) for _ in range(PIECES_A_SECOND)}

    class Steady(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for event in begun_text("responses", *"abcdef"):
                clock.pass_seconds(LONGEST_PAUSE / 2)
                yield sent(event)

    assert texts_of(await read(CoalescingStream(Steady(), under_way, clock))) == [
        "a",
        "bc",
        "de",
        "f",
    ]
