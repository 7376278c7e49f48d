"""One turn over HTTP, as a client has it: from the request to `done`."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from uuid import UUID, uuid4

import httpx2

from eval.bench.serving.program import USER_HEADER

TIMEOUT = 60.0


@dataclass(frozen=True)
class Taken:
    """`seconds` until the turn was done, `first` until its first text. `fault` says what was not
    as it should be, None for a whole reply that was saved."""

    mark: str
    seconds: float
    first: float | None
    fault: str | None = None


class ChatClient:
    """One user in one conversation."""

    def __init__(self, client: httpx2.AsyncClient, user_id: str) -> None:
        self._client = client
        self._headers = {USER_HEADER: user_id}
        self._conversation: UUID | None = None

    async def take(self, text: str) -> Taken:
        """Never raises: what went wrong is a fault of the turn."""
        mark, began = uuid4().hex, time.perf_counter()
        try:
            first, fault = await self._stream(f"{text} (turn {mark})", began)
        except (httpx2.HTTPError, ValueError, KeyError) as error:
            first, fault = None, type(error).__name__
        return Taken(mark, time.perf_counter() - began, first, fault)

    async def _stream(self, text: str, began: float) -> tuple[float | None, str | None]:
        body: dict[str, str] = {"message": text}
        if self._conversation is not None:
            body["conversation_id"] = str(self._conversation)
        first, name = None, ""
        async with self._client.stream(
            "POST", "/v1/chat", json=body, headers=self._headers, timeout=TIMEOUT
        ) as answer:
            if not answer.is_success:
                return None, f"status {answer.status_code}"
            async for line in answer.aiter_lines():
                kind, _, rest = line.partition(": ")
                if kind == "event":
                    name = rest
                elif kind == "data" and name == "turn":
                    self._conversation = UUID(json.loads(rest)["conversation_id"])
                elif kind == "data" and name == "text" and first is None:
                    first = time.perf_counter() - began
                elif kind == "data" and name == "done":
                    return first, _fault_in(json.loads(rest))
        return first, "no end"


def _fault_in(done: dict[str, object]) -> str | None:
    if done["status"] != "complete":
        return str(done["status"])
    return None if done["saved"] else "not saved"
