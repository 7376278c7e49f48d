"""The streams of a model's server, looked at on their way: one that was cut off is told from one
that ended, and many small pieces of text are passed on as fewer and larger ones."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx2


def readable_events(response: httpx2.Response) -> httpx2.AsyncByteStream | None:
    """The bytes that are still to come; None where they are no events, or are compressed."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "text/event-stream" or "content-encoding" in response.headers:
        return None
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    return response.stream


CHAT_PATH = "/chat/completions"
# Within the text of a reply quotation marks and line breaks are escaped.
_END = re.compile(rb'"finish_reason"\s*:\s*"|[\r\n]data:\s*\[DONE\]')
# Bytes; more than either takes, which may come in two parts.
_OVERLAP = 64


class CompleteStream(httpx2.AsyncByteStream):
    """Raises RemoteProtocolError, as for a connection that was lost, where `inner` ends without its
    end. One that said nothing at all is left to whoever reads it."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        begun = ended = False
        last = b"\n"  # what comes first begins a line
        async for part in self._inner:
            last += part
            begun = begun or b"data:" in last
            ended = ended or _END.search(last) is not None
            last = last[-_OVERLAP:]
            yield part
        if begun and not ended:
            raise httpx2.RemoteProtocolError("the stream was cut off")

    async def aclose(self) -> None:
        await self._inner.aclose()


async def refuse_cut_off(response: httpx2.Response) -> None:
    """For the client's responses: watches those that are such a stream and can be read on the
    way."""
    events = readable_events(response)
    if events is not None and response.request.url.path.endswith(CHAT_PATH):
        response.stream = CompleteStream(events)


# Ten pieces a second look as smooth as forty to who reads, and cost a quarter on their way there.
SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 1.0
# Of all answers together, while they are not so many that each has the longest pause: at a
# millisecond and a half each, a thirteenth of the processor.
PIECES_A_SECOND = 50

_BLANK_LINE = re.compile(rb"(?:\r\n|\n|\r(?!\n)){2}")
_EVENT = re.compile(rb"(?P<kind>event:[^\r\n]*[\r\n]+)?data:(?P<data>[^\r\n]*)")
# What of a piece the next one says anew; one that says anything else is passed on as it is.
_ABOUT_CHAT = {"id", "object", "created", "model", "system_fingerprint", "service_tier"}
_ABOUT_RESPONSES = {"type", "item_id", "output_index", "content_index", "sequence_number"}
_PADDING = "obfuscation"


def pause_between(streams: int) -> float:
    """The seconds between two pieces of one answer while so many are read at once, within its two
    bounds: on a busy server the pieces become larger, before the answers become late."""
    return min(max(SHORTEST_PAUSE, streams / PIECES_A_SECOND), LONGEST_PAUSE)


class TextCoalescer:
    """For the responses of one client: those that are events and can be read on the way. Knows how
    many of them are under way."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._under_way: set[CoalescingStream] = set()

    async def __call__(self, response: httpx2.Response) -> None:
        if (events := readable_events(response)) is not None:
            response.stream = CoalescingStream(events, self._under_way, self._clock)


class CoalescingStream(httpx2.AsyncByteStream):
    """Passes on every event of `inner`, but text not more often than the streams that are
    `under_way` allow: the first piece at once, and what is held back before whatever else comes,
    the end and an error included. No timer lets it go: a model that stalls keeps a pause's words
    back."""

    def __init__(
        self,
        inner: httpx2.AsyncByteStream,
        under_way: set[CoalescingStream],
        clock: Callable[[], float],
    ) -> None:
        self._inner = inner
        self._under_way = under_way
        self._clock = clock

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces, begun = PieceBuffer(), b""
        self._under_way.add(self)
        try:
            async for part in self._inner:
                *events, begun = _BLANK_LINE.split(begun + part)
                now, pause = self._clock(), pause_between(len(self._under_way))
                if due := b"".join(pieces.take(event, now, pause) for event in events):
                    yield due
        except Exception:
            if held := pieces.rest():
                yield held
            raise
        finally:
            self._under_way.discard(self)
        if last := pieces.rest() + begun:
            yield last

    async def aclose(self) -> None:
        self._under_way.discard(self)
        await self._inner.aclose()


class PieceBuffer:
    """The text of one answer that is held back, and when some was passed on last."""

    def __init__(self) -> None:
        self._held: list[TextPiece] = []
        self._passed_at: float | None = None

    def take(self, event: bytes, now: float, pause: float) -> bytes:
        """What is due with this event, which comes without its blank line; `now` in seconds, as is
        the `pause` between two texts."""
        piece = parse_piece(event)
        if piece is None:
            return self.rest() + _ended(event)
        due = b"" if not self._held or self._held[-1].place == piece.place else self.rest()
        self._held.append(piece)
        if self._passed_at is None or now - self._passed_at >= pause:
            self._passed_at = now
            due += self.rest()
        return due

    def rest(self) -> bytes:
        """What is held back, which is then held no longer."""
        held, self._held = self._held, []
        return _ended(_joined(held)) if held else b""


@dataclass(frozen=True)
class TextPiece:
    """An event that says nothing but more `text`, at one `place` of the answer."""

    event: bytes
    kind: bytes
    told: dict[str, Any]
    place: tuple[object, ...]
    text: str

    def saying(self, text: str) -> bytes:
        """The same event with another text."""
        if self.told.get("choices"):
            choice = self.told["choices"][0]
            choice = choice | {"delta": choice["delta"] | {"content": text}}
            told = self.told | {"choices": [choice]}
        else:
            told = self.told | {"delta": text}
        return self.kind + b"data: " + json.dumps(told).encode()


def parse_piece(event: bytes) -> TextPiece | None:
    """None for an event that says anything but more text."""
    match = _EVENT.fullmatch(event)
    if match is None:
        return None
    try:
        told = json.loads(match["data"])
    except ValueError:  # [DONE], or what the client will refuse
        return None
    found = (_of_responses(told) or _of_chat(told)) if isinstance(told, dict) else None
    return None if found is None else TextPiece(event, match["kind"] or b"", told, *found)


def _of_responses(told: dict[str, Any]) -> tuple[tuple[object, ...], str] | None:
    text = told.get("delta")
    if told.get("type") != "response.output_text.delta" or not isinstance(text, str):
        return None
    place = (told.get("item_id"), told.get("output_index"), told.get("content_index"))
    known = _says(told) - {"delta"} <= _ABOUT_RESPONSES
    return (place, text) if text and known else None


def _of_chat(told: dict[str, Any]) -> tuple[tuple[object, ...], str] | None:
    choices = told.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        return None
    choice, delta = choices[0], choices[0].get("delta")
    if not isinstance(delta, dict) or not _says(delta) <= {"role", "content"}:
        return None
    text, known = delta.get("content"), _says(told) - {"choices"} <= _ABOUT_CHAT
    if not isinstance(text, str) or not text or not known:
        return None
    return ((choice.get("index"),), text) if _says(choice) <= {"index", "delta"} else None


def _says(told: dict[str, Any]) -> set[str]:
    return {name for name, value in told.items() if value not in (None, []) and name != _PADDING}


def _joined(held: list[TextPiece]) -> bytes:
    """Counts as the last of them."""
    if len(held) == 1:
        return held[0].event
    return held[-1].saying("".join(piece.text for piece in held))


def _ended(event: bytes) -> bytes:
    return event + b"\n\n"
