"""Which responses of a model's server are streams of events that can be looked at on the way."""

from __future__ import annotations

import httpx2


def readable_events(response: httpx2.Response) -> httpx2.AsyncByteStream | None:
    """The bytes that are still to come; None where they are no events, or are compressed."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "text/event-stream" or "content-encoding" in response.headers:
        return None
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    return response.stream
