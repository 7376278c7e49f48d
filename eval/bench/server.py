"""The benchmarks of the HTTP server: a minute under load beside clients that hardly read, and ten
minutes in which its memory may not grow."""

from __future__ import annotations

import asyncio
import json
import socket
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx2
from rich.progress import Progress

from eval import checks
from eval.bench.fake_models import AnswerPace, ScriptedChatServer
from eval.bench.ingestion import distinct_facts
from eval.bench.processes import USER_HEADER, RunningServer, running_server
from eval.bench.workload import Sentences
from eval.metrics import Metrics, percentile
from eval.report import Report, run_settings
from eval.system import System
from memory.types import NewMemory

CHAT_TIMEOUT = 60.0


@dataclass(frozen=True)
class TimedChatTurn:
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

    async def take(self, text: str) -> TimedChatTurn:
        """Never raises: what went wrong is a fault of the turn."""
        mark, began = uuid4().hex, time.perf_counter()
        try:
            first, fault = await self._stream(f"{text} (turn {mark})", began)
        except (httpx2.HTTPError, ValueError, KeyError) as error:
            first, fault = None, type(error).__name__
        return TimedChatTurn(mark, time.perf_counter() - began, first, fault)

    async def _stream(self, text: str, began: float) -> tuple[float | None, str | None]:
        body: dict[str, str] = {"message": text}
        if self._conversation is not None:
            body["conversation_id"] = str(self._conversation)
        first, name = None, ""
        async with self._client.stream(
            "POST", "/v1/chat", json=body, headers=self._headers, timeout=CHAT_TIMEOUT
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


CHAT_TEXTS = (
    "Which train do I take to the office?",
    "I had porridge with blueberries for breakfast today.",
    "What did I tell you about the boiler?",
    "My favourite tea is the smoky one from the corner shop.",
    "Where does my sister live now?",
)
HTTP_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=None)


@dataclass
class ChatCrowd:
    """`people` chats; between two turns each reads for `reading` seconds. They begin spread over
    such a time, since people who never heard of each other do not type in step."""

    url: str
    people: int
    reading: float = 0.0
    taken: list[TimedChatTurn] = field(default_factory=list)

    async def chat_for(self, seconds: float) -> None:
        """Nobody begins a turn after `seconds`; those that have begun are finished."""
        until = time.perf_counter() + seconds
        async with (
            httpx2.AsyncClient(base_url=self.url, limits=HTTP_LIMITS) as client,
            asyncio.TaskGroup() as group,
        ):
            for number in range(self.people):
                late = self.reading * number / self.people
                group.create_task(self._chat(ChatClient(client, f"bench-{number}"), until, late))

    async def _chat(self, client: ChatClient, until: float, late: float) -> None:
        number = 0
        await asyncio.sleep(late)
        while time.perf_counter() < until:
            self.taken.append(await client.take(CHAT_TEXTS[number % len(CHAT_TEXTS)]))
            number += 1
            await asyncio.sleep(self.reading)


def turn_metrics(taken: Sequence[TimedChatTurn], busy: dict[str, float]) -> Metrics:
    """Milliseconds of whole turns, and of them what the model was not busy for: the own overhead.
    `ratio` is a turn's median beside the median of its model alone."""
    whole = [each for each in taken if each.fault is None]
    own = [(each.seconds - busy.get(each.mark, 0.0)) * 1000 for each in whole]
    turns = [each.seconds * 1000 for each in whole]
    model = [busy.get(each.mark, 0.0) * 1000 for each in whole]
    turn, alone = percentile(turns, 50), percentile(model, 50)
    return {
        "turns": len(taken),
        "errors": len(taken) - len(whole),
        "overhead_p50_ms": percentile(own, 50),
        "overhead_p95_ms": percentile(own, 95),
        "turn_p50_ms": turn,
        "model_p50_ms": alone,
        "ratio": turn / alone if turn is not None and alone else None,
    }


def count_turn_faults(taken: Sequence[TimedChatTurn]) -> dict[str, int]:
    """What went wrong, and how often."""
    return dict(Counter(each.fault for each in taken if each.fault is not None))


SAMPLE_SECONDS = 5.0
# The first part of a run fills caches and pools; the rest is compared in two halves.
WARM_UP_SHARE = 0.3


@dataclass
class MemoryWatch:
    """Samples of a program: seconds since the beginning, and MB."""

    program: RunningServer
    samples: list[tuple[float, float]] = field(default_factory=list)

    async def look(self) -> None:
        """Until it is cancelled."""
        began = time.perf_counter()
        while True:
            self.samples.append((time.perf_counter() - began, self.program.resident_mb))
            await asyncio.sleep(SAMPLE_SECONDS)


def growth_metrics(samples: Sequence[tuple[float, float]]) -> Metrics:
    """MB after the warm-up and in the end (the means of the first and the last third of what is
    left), what lies between, and MB an hour by the least-squares line."""
    settled = list(samples)[int(len(samples) * WARM_UP_SHARE) :]
    if len(settled) < 3:  # noqa: PLR2004 - a first, a middle and a last third
        return {"resident_mb": None, "growth_mb": None, "growth_mb_an_hour": None}
    third = len(settled) // 3
    first = sum(size for _, size in settled[:third]) / third
    last = sum(size for _, size in settled[-third:]) / third
    return {
        "resident_mb": last,
        "growth_mb": last - first,
        "growth_share": (last - first) / first,
        "growth_mb_an_hour": _slope(settled) * 3600,
    }


def _slope(samples: Sequence[tuple[float, float]]) -> float:
    middle = sum(at for at, _ in samples) / len(samples)
    mean = sum(size for _, size in samples) / len(samples)
    spread = sum((at - middle) ** 2 for at, _ in samples)
    together = sum((at - middle) * (size - mean) for at, size in samples)
    return together / spread if spread else 0.0


SIPS_EACH_SECOND = 1
SIP_BYTES = 256
WINDOW_BYTES = 4096
READERS_START_SECONDS = 60.0


@asynccontextmanager
async def slow_readers(url: str, count: int) -> AsyncIterator[list[int]]:
    """Each has begun a turn and reads 256 bytes a second of it; yields how many bytes each got so
    far."""
    got = [0] * count
    begun = [asyncio.Event() for _ in range(count)]
    tasks = [
        asyncio.create_task(_read_slowly(url, number, got, begun[number]))
        for number in range(count)
    ]
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(READERS_START_SECONDS):
                await asyncio.gather(*(each.wait() for each in begun))
        yield got
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read_slowly(url: str, number: int, got: list[int], begun: asyncio.Event) -> None:
    connection = await _connect(url)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_sendall(connection, _request(url, number))
        while data := await loop.sock_recv(connection, SIP_BYTES):
            got[number] += len(data)
            begun.set()
            await asyncio.sleep(1 / SIPS_EACH_SECOND)
    finally:
        connection.close()


async def _connect(url: str) -> socket.socket:
    """With a small window, so that what is not read waits in the server and not in the kernel."""
    address = urlsplit(url)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW_BYTES)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, (address.hostname, address.port))
    return connection


def _request(url: str, number: int) -> bytes:
    body = json.dumps({"message": f"Tell me a long story (turn {number:032x})"}).encode()
    head = (
        f"POST /v1/chat HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
        f"{USER_HEADER}: slow-{number}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


SEARCH_TIMEOUT = 30.0


async def slow_reader_metrics(
    url: str, user_id: str, questions: Sequence[str], readers: int
) -> Metrics:
    """Milliseconds of POST /v1/memory/search, alone and beside `readers` slow clients; `ratio` is
    the second 95th percentile divided by the first. `readers_served` counts those that got
    something to read."""
    async with httpx2.AsyncClient(base_url=url, timeout=SEARCH_TIMEOUT) as client:
        await _time_searches(client, user_id, questions[:20])
        alone, _ = await _time_searches(client, user_id, questions)
        async with slow_readers(url, readers) as got:
            beside, failed = await _time_searches(client, user_id, questions)
            served = sum(1 for each in got if each)
    before, during = percentile(alone, 95), percentile(beside, 95)
    return {
        "recall_alone_p50_ms": percentile(alone, 50),
        "recall_alone_p95_ms": before,
        "recall_beside_p50_ms": percentile(beside, 50),
        "recall_beside_p95_ms": during,
        "recall_ratio": during / before if before and during else None,
        "recalls_failed": failed,
        "readers_served": served,
    }


async def _time_searches(
    client: httpx2.AsyncClient, user_id: str, questions: Sequence[str]
) -> tuple[list[float], int]:
    took, failed = [], 0
    for question in questions:
        began = time.perf_counter()
        answer = await client.post(
            "/v1/memory/search", json={"query": question}, headers={USER_HEADER: user_id}
        )
        took.append((time.perf_counter() - began) * 1000)
        failed += not answer.is_success or bool(answer.json().get("error"))
    return took, failed


SEED = 20_261_123
PEOPLE = 50
READERS = 200
QUESTIONS = 100
LOAD_SECONDS = 60.0
SOAK_SECONDS = 600.0
# People read what they got and type what comes next; a throng does not, and shows where it ends.
READING_SECONDS = 10.0
THRONG_SECONDS = 20.0
RECALLING_USER = "bench-0"
# An answer of 60 kB over a minute, of which a slow reader has read a third by then.
STORY_PACE = AnswerPace(first=0.2, between=0.5, pieces=120, characters=500)


class ServerBench:
    """50 chats at once for a minute, each with `items` memories, whose people read for ten seconds
    between two turns; the same without reading, for the most turns a second that there can be;
    then recalls beside 200 clients that hardly read."""

    def __init__(self, items: int = 100) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        await store_facts(system, self._items, progress)
        turns, faults = await self._load(system, progress)
        async with server_with_model(system, STORY_PACE) as (program, _):
            questions = Sentences(SEED + 1).questions(QUESTIONS)
            progress.add_task(f"recalls beside {READERS} slow readers", total=None)
            starving = await slow_reader_metrics(program.url, RECALLING_USER, questions, READERS)
        metrics = {**turns, **starving}
        return Report(
            dataset="bench-serving",
            settings=run_settings(
                system, items=self._items, people=PEOPLE, readers=READERS, seconds=LOAD_SECONDS
            ),
            metrics=metrics,
            by_category={"faults": dict(faults)},
            checks=checks.check_bounds(metrics, checks.BENCH_SERVING),
        )

    async def _load(self, system: System, progress: Progress) -> tuple[Metrics, dict[str, int]]:
        async with server_with_model(system, AnswerPace()) as (program, model):
            await ChatCrowd(program.url, people=4).chat_for(3.0)
            crowd = ChatCrowd(program.url, PEOPLE, reading=READING_SECONDS)
            before, began = program.cpu_seconds, time.perf_counter()
            with _bar(progress, f"{PEOPLE} chats at once", LOAD_SECONDS):
                await crowd.chat_for(LOAD_SECONDS)
            seconds, busy = time.perf_counter() - began, program.cpu_seconds - before
            throng = ChatCrowd(program.url, PEOPLE)
            with _bar(progress, f"{PEOPLE} chats without a pause", THRONG_SECONDS):
                await throng.chat_for(THRONG_SECONDS)
        figures = turn_metrics(crowd.taken, model.busy)
        figures["turns_per_second"] = len(crowd.taken) / seconds
        figures["server_cpu_share"] = busy / seconds
        figures["cpu_ms_per_turn"] = busy * 1000 / len(crowd.taken)
        figures["throng_turns_per_second"] = len(throng.taken) / THRONG_SECONDS
        figures["throng_errors"] = sum(each.fault is not None for each in throng.taken)
        return figures, count_turn_faults([*crowd.taken, *throng.taken])


class SoakBench:
    """50 chats for ten minutes, `items` memories each: does the server's memory grow?"""

    def __init__(self, items: int = 100) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        await store_facts(system, self._items, progress)
        async with server_with_model(system, AnswerPace()) as (program, model):
            crowd, watch = (
                ChatCrowd(program.url, PEOPLE, reading=READING_SECONDS),
                MemoryWatch(program),
            )
            watching = asyncio.create_task(watch.look())
            with _bar(progress, "soaking", SOAK_SECONDS):
                await crowd.chat_for(SOAK_SECONDS)
            watching.cancel()
            metrics = {**turn_metrics(crowd.taken, model.busy), **growth_metrics(watch.samples)}
        return Report(
            dataset="bench-soak",
            settings=run_settings(system, items=self._items, people=PEOPLE, seconds=SOAK_SECONDS),
            metrics=metrics,
            by_category={"faults": dict(count_turn_faults(crowd.taken))},
            checks=checks.check_bounds(metrics, checks.BENCH_SOAK),
        )


@asynccontextmanager
async def server_with_model(
    system: System, pace: AnswerPace
) -> AsyncIterator[tuple[RunningServer, ScriptedChatServer]]:
    """The server over a model of that pace; its log goes with the bench."""
    model = ScriptedChatServer(pace)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "serve.log"
        async with (
            model.listening() as model_url,
            running_server(system, model_url, log) as program,
        ):
            yield program, model


async def store_facts(system: System, items: int, progress: Progress) -> None:
    """The same memories for everybody who will chat."""
    facts = distinct_facts(items, SEED)
    people = [f"bench-{number}" for number in range(PEOPLE)]
    for user_id in progress.track(people, description="remembering"):
        await system.store(user_id, [NewMemory(content=each) for each in facts])


@contextmanager
def _bar(progress: Progress, words: str, seconds: float) -> Iterator[None]:
    """A bar that fills while the clients are at it."""
    task = progress.add_task(words, total=seconds)

    async def tick() -> None:
        while True:
            await asyncio.sleep(1)
            progress.advance(task, 1)

    ticking = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticking.cancel()
