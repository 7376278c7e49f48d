"""The connection to the server of a model."""

from __future__ import annotations

from typing import Any

import httpx2
from openai import DefaultAioHttpClient


class ModelClient(DefaultAioHttpClient):
    """Reads a stream by aiohttp, for less of the processor's time (docs/decisions/0020).

    Its transport calls a server that is not there, or hangs up, a slow one. The person is told what
    to do about it, so the two are kept apart here.
    """

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            return await super().send(request, **options)
        except httpx2.ConnectTimeout as error:
            cause = error.__cause__
            if cause is None or isinstance(cause, TimeoutError):
                raise
            raise httpx2.ConnectError(str(error), request=request) from cause
