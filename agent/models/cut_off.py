"""Tells a stream of the chat interface that was cut off from one that ended.

A server ends a reply with a `finish_reason`, and the stream with `[DONE]`. The SDK asks for the
first of OpenAI's own server alone, and takes any end of another one's stream for a whole reply.
Some servers leave out the one, some the other; where a stream has neither it did not come to its
end. The interface of responses has an event for it, without which the SDK takes nothing.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx2

from agent.models.event_stream import readable_events

PATH = "/chat/completions"
# Within the text of a reply quotation marks and line breaks are escaped.
_END = re.compile(rb'"finish_reason"\s*:\s*"|[\r\n]data:\s*\[DONE\]')
# Bytes; more than either takes, which may come in two parts.
_OVERLAP = 64


class WholeStream(httpx2.AsyncByteStream):
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
    if events is not None and response.request.url.path.endswith(PATH):
        response.stream = WholeStream(events)
