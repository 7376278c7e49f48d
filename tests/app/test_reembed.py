"""The command, with a server of embeddings beside it, and stopped as a process."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.app.program import MakeProgram

DIMENSIONS = 24
MODEL = ("--model", "words", "--dimensions", str(DIMENSIONS))
ROWS = 300


class Words(ThreadingHTTPServer):
    """Counts the texts that it was given; held, it answers nobody after the first request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.texts: list[str] = []
        self.asked = threading.Semaphore(0)
        self.answers = threading.Event()
        self.answers.set()


class Answer(BaseHTTPRequestHandler):
    server: Words

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        if self.server.texts:
            self.server.asked.release()
            self.server.answers.wait(60)
        self.server.texts += texts
        entries = [
            {"object": "embedding", "index": place, "embedding": vector(text)}
            for place, text in enumerate(texts)
        ]
        body = json.dumps({"object": "list", "model": "words", "data": entries}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


def vector(text: str) -> list[float]:
    numbers = [0.01] * DIMENSIONS
    for word in text.split():
        numbers[hashlib.sha256(word.encode()).digest()[0] % DIMENSIONS] += 1.0
    return numbers


@pytest.fixture
def words() -> Iterator[Words]:
    with Words() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.answers.set()
        server.shutdown()


@pytest.mark.usefixtures("home")
def test_it_is_stopped_goes_on_and_says_what_it_did(
    tmp_path: Path, make_program: MakeProgram, words: Words
) -> None:
    program = make_program(
        KEEPSAKE_USER="ada",
        MEMORY_CAP="1000",
        OPENAI_BASE_URL=f"http://127.0.0.1:{words.server_port}/v1",
    )
    seeds = tmp_path / "seeds.json"
    seeds.write_text(json.dumps([{"content": f"User owns book {n}"} for n in range(ROWS)]))
    program.run("seed", str(seeds), code=0)

    words.answers.clear()
    with program.start("reembed", *MODEL) as running:
        assert words.asked.acquire(timeout=60)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 128 + signal.SIGINT
    words.answers.set()
    made = len(words.texts)
    assert 0 < made < ROWS

    ended = program.run("reembed", *MODEL, code=0)
    assert f"everything is of words with {DIMENSIONS} dimensions now" in ended.stdout
    findings = {each["part"]: each for each in json.loads(program.run("doctor", "--json").stdout)}
    assert findings["vectors"]["found"] == f"made for words, {DIMENSIONS} dimensions"
    assert {findings[part]["state"] for part in ("vectors", "backlog", "embedding")} == {"ok"}
    assert "old vectors" not in findings
    assert "already" in program.run("reembed", *MODEL, code=0).stdout
