"""A server that chats, and has embeddings only as long as it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.agent.wire import PATHS, Event, sent, text, tool_call

CHAT = PATHS["chat_completions"]
EMBEDDINGS = "/v1/embeddings"


class ChatOnly(ThreadingHTTPServer):
    """Asks the memory about every question and repeats what it says; all else is unknown here.
    `dimensions` are those of its vectors, None where it makes none."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.asked: list[str] = []
        self.dimensions: int | None = None

    @property
    def settings(self) -> dict[str, str]:
        return {
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.server_port}/v1",
            "OPENAI_API": "chat_completions",
            "OPENAI_MODEL": "chats",
        }


@contextmanager
def chat_only() -> Iterator[ChatOnly]:
    with ChatOnly() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class _Answer(BaseHTTPRequestHandler):
    server: ChatOnly

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(self.path)
        if self.path == CHAT and asked.get("stream"):
            events = b"".join(sent(event) for event in _reply(asked["messages"][-1]))
            self._send(200, "text/event-stream", events)
        elif self.path == EMBEDDINGS and self.server.dimensions:
            self._send_json(200, _vectors(asked["input"], self.server.dimensions))
        else:
            self._send_json(404, {"error": {"message": "unknown"}})

    def _send_json(self, status: int, body: object) -> None:
        self._send(status, "application/json", json.dumps(body).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


def _reply(last: dict[str, Any]) -> list[Event]:
    said = str(last["content"])
    if last["role"] == "user" and said.endswith("?"):
        return tool_call("chat_completions", "query_memory", json.dumps({"query": said}))
    return text("chat_completions", said if last["role"] == "tool" else "All right.")


def _vectors(texts: list[str], dimensions: int) -> dict[str, object]:
    entries = [
        {"object": "embedding", "index": place, "embedding": [0.5] * dimensions}
        for place, _ in enumerate(texts)
    ]
    return {"object": "list", "model": "m", "data": entries}
