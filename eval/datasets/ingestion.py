"""The ingestion set lived through by fresh users, and the secrets of it looked for wherever
something could have kept them."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

from redis.asyncio import Redis
from rich.progress import Progress

from agent.commands.parser import parse_commands
from agent.models.model_reader import make_model_reader
from agent.models.provider import open_model
from eval import checks
from eval.datasets.ingestion_scores import (
    THREADS_FOLDER,
    IngestionThread,
    IngestionTurn,
    ItemsById,
    TurnOutcome,
    TurnScore,
    ingestion_failures,
    ingestion_latency,
    ingestion_metrics,
    ingestion_metrics_by_category,
    load_turns,
    score_thread,
)
from eval.metrics import Metrics
from eval.report import Report, run_settings
from eval.results import Failures
from eval.system import System
from memory.cache import Cache
from memory.embeddings.protocol import Embedder, Embedding
from memory.factory import make_memory
from memory.ingestion.extraction import ExtractionInput
from memory.ingestion.normalisation import clean_message
from memory.metrics import MemoryMetrics
from memory.secrets import redact
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.memories import MAX_LISTED, MemoryFilter
from memory.store.memory_entries import MemoryEntryStore
from memory.store.messages import LearningQueue, NewMessage
from memory.types import DEFAULT_SPACE, Origin, SaveOutcome
from memory.understanding import OfflineReader, SecondReader

SCANNED_AT_ONCE = 200
_PARTING = re.compile(r"[\s-]+")
# How a key of each kind is read whole.
_READERS: dict[bytes, tuple[str, ...]] = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", "0", "-1"),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", "0", "-1"),
    b"stream": ("XRANGE", "-", "+"),
}

# Every column of words in the tables that the application may read and that belong to users.
_COLUMNS = """
SELECT format('%I', table_name) AS name, string_agg(format('%I::text', column_name), ', ') AS words
FROM information_schema.columns AS column_of
WHERE table_schema = 'public'
  AND (data_type IN ('text', 'character varying', 'json', 'jsonb', 'tsvector', 'ARRAY'))
  AND EXISTS (SELECT FROM information_schema.columns AS own
              WHERE own.table_schema = 'public' AND own.table_name = column_of.table_name
                AND own.column_name = 'user_id')
GROUP BY table_name ORDER BY table_name
"""


def contains_secret(text: str, secret: str) -> bool:
    """Whether the secret is in the text: as it is, as JSON writes it, in another case, or with
    other spaces and hyphens."""
    flat = _flat(text)
    return any(_flat(form) in flat for form in (secret, json.dumps(secret)[1:-1]))


async def scan_tables(database: Database, user_id: str, secret: str) -> list[str]:
    """The tables in which a row of the user holds the secret."""
    async with database.as_user(user_id) as connection:
        tables = await connection.fetch(_COLUMNS)
        found = []
        for table in tables:
            # Both names come from the catalogue, quoted by it.
            query = f"SELECT concat_ws(chr(10), {table['words']}) FROM {table['name']}"  # noqa: S608
            rows = await connection.fetch(query)
            if any(contains_secret(row[0], secret) for row in rows):
                found.append(table["name"])
    return found


async def scan_redis(cache: Cache, secrets: Sequence[str]) -> set[str] | None:
    """The secrets that a key or a value holds; None where Redis did not answer."""
    found: set[str] = set()
    cursor = 0
    while True:
        step = await cache.run(partial(_read_some, cursor), otherwise=None)
        if step is None:
            return None
        cursor, texts = step
        found |= {secret for secret in secrets for text in texts if contains_secret(text, secret)}
        if cursor == 0:
            return found


async def _read_some(cursor: int, redis: Redis) -> tuple[int, list[str]] | None:
    """Where to go on, and the next keys with what they hold, as text."""
    cursor, names = await redis.scan(cursor, count=SCANNED_AT_ONCE)
    async with redis.pipeline(transaction=False) as pipeline:
        for name in names:
            pipeline.type(name)
        kinds = await pipeline.execute()
        for name, kind in zip(names, kinds, strict=True):
            if kind in _READERS:  # a key may be gone by now
                command, *rest = _READERS[kind]
                pipeline.execute_command(command, name, *rest)
        values = await pipeline.execute(raise_on_error=False)
    return int(cursor), [_text(value) for value in (*names, *values)]


class WatchingEmbedder:
    """Notes which of the secrets are in the texts that the inner embedder is sent."""

    def __init__(self, inner: Embedder, secrets: Collection[str]) -> None:
        self._inner = inner
        self._secrets = secrets
        self.model = inner.model
        self.dimensions = inner.dimensions
        self.seen: set[str] = set()

    async def embed_query(self, text: str) -> Embedding:
        self._look(text)
        return await self._inner.embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        for text in texts:
            self._look(text)
        return await self._inner.embed_texts(texts)

    async def aclose(self) -> None:
        """The inner one belongs to whoever made it."""

    def _look(self, text: str) -> None:
        self.seen |= {secret for secret in self._secrets if contains_secret(text, secret)}


def _text(value: object) -> str:
    """All words in an answer of Redis; of a vector's bytes nothing worth reading."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "ignore")
    if isinstance(value, Mapping):
        return "\n".join(_text(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple | set):
        return "\n".join(map(_text, value))
    return str(value)


def _flat(text: str) -> str:
    return _PARTING.sub("", text).casefold()


_EVERYTHING = MemoryFilter(include_replaced=True, include_trimmed=True, limit=MAX_LISTED)


@dataclass(frozen=True)
class IngestionResult:
    """The scores of all turns, and by turn the places where its secret was found; `redis_read`
    is False where Redis did not answer, and nobody knows what it holds."""

    scores: list[TurnScore]
    secrets: dict[str, list[str]]
    redis_read: bool


class IngestionRun:
    """Lets every thread happen to a fresh user, turn by turn, as the assistant would after its
    replies, and reads what that left in the store. `memory` is the product's own with whichever
    second reader; it embeds with `embedder` and counts in `counters`."""

    def __init__(
        self,
        system: System,
        memory: MemoryService,
        embedder: WatchingEmbedder,
        counters: MemoryMetrics,
    ) -> None:
        self._system = system
        self._memory = memory
        self._embedder = embedder
        self._counters = counters
        self._entries = MemoryEntryStore(system.database)
        self._marks = LearningQueue(system.database)

    async def run(
        self, threads: tuple[IngestionThread, ...], progress: Progress
    ) -> IngestionResult:
        await self._warm_up()
        scores: list[TurnScore] = []
        secrets: dict[str, list[str]] = defaultdict(list)
        for thread in progress.track(threads, description="learning from threads"):
            user_id = f"eval:writing:{thread.id}:{uuid4().hex[:8]}"
            learned = await self._live_through(user_id, thread)
            scores += score_thread(thread.id, thread.held_back, learned)
            for turn_id, secret in _secrets(thread):
                secrets[turn_id] += await scan_tables(self._system.database, user_id, secret)
        return await self._with_traces(threads, scores, secrets)

    async def _warm_up(self) -> None:
        """One message that is not counted: it loads the model and fills the pool."""
        said = ExtractionInput(text="My favourite colour is green.", said_at=datetime.now(UTC))
        await self._memory.learn("eval:warm-up", DEFAULT_SPACE, said, origin=Origin("learning"))

    async def _live_through(self, user_id: str, thread: IngestionThread) -> list[TurnOutcome]:
        conversation_id = uuid4()
        learned = []
        after: ItemsById = {}
        for turn in thread.turns:
            before = after
            outcomes, took, error = await self._say(user_id, conversation_id, turn)
            after = await self._read(user_id)
            asked = {older.id for each in outcomes if each.doubt_ids for older in each.older}
            learned.append(TurnOutcome(turn, before, after, frozenset(asked), took, error))
        await self._memory.embed_waiting(user_id)
        return learned

    async def _say(
        self, user_id: str, conversation_id: UUID, turn: IngestionTurn
    ) -> tuple[list[SaveOutcome], float | None, str | None]:
        """What came of a turn, in how many milliseconds, or why nothing was learned from it. What
        the assistant would obey is stored and not learned, and takes no time."""
        text = redact(clean_message(turn.said))
        is_talk = not parse_commands(clean_message(turn.said), OfflineReader())
        new = NewMessage("user", text, uuid4(), needs_learning=is_talk)
        message, _ = await self._memory.conversations.add_message(user_id, conversation_id, new)
        if not is_talk:
            return [], None, None
        said = ExtractionInput(text=text, said_at=turn.said_at, message_id=message.id)
        failures = self._failures()
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._system.settings.learn_timeout_seconds):
                outcomes = await self._memory.learn(
                    user_id, DEFAULT_SPACE, said, origin=Origin("learning", new.correlation_id)
                )
        except Exception as error:  # as in the product the message waits, and the run goes on
            return [], (time.perf_counter() - began) * 1000, type(error).__name__
        took = (time.perf_counter() - began) * 1000
        waits = await self._marks.needs_learning(user_id, message.id)
        if self._failures() > failures:
            return outcomes, took, "the model failed and the offline reading stands"
        return outcomes, took, "it waits" if waits else None

    def _failures(self) -> float:
        registry = self._counters.registry
        return registry.get_sample_value("keepsake_extraction_failures_total") or 0.0

    async def _read(self, user_id: str) -> ItemsById:
        page = await self._entries.browse(user_id, _EVERYTHING)
        return {item.id: item for item in page.items}

    async def _with_traces(
        self,
        threads: tuple[IngestionThread, ...],
        scores: list[TurnScore],
        secrets: dict[str, list[str]],
    ) -> IngestionResult:
        by_turn = dict(pair for thread in threads for pair in _secrets(thread))
        in_redis = await scan_redis(self._system.cache, list(by_turn.values()))
        for turn_id, secret in by_turn.items():
            if secret in (in_redis or ()):
                secrets[turn_id].append("redis")
            if secret in self._embedder.seen:
                secrets[turn_id].append("what was embedded")
        found = {turn_id: places for turn_id, places in secrets.items() if places}
        return IngestionResult(scores, found, redis_read=in_redis is not None)


def _secrets(thread: IngestionThread) -> list[tuple[str, str]]:
    return [(turn.id, turn.secret) for turn in thread.turns if turn.secret is not None]


OFFLINE = "offline"


class IngestionDataset:
    """`reader` stands in for the product's second reader: the model where one is configured."""

    def __init__(self, folder: Path | None, reader: SecondReader | None = None) -> None:
        self._set = load_turns(folder or THREADS_FOLDER)
        self._reader = reader

    async def run(self, system: System, progress: Progress) -> Report:
        threads = self._set.threads
        secrets = [secret for thread in threads for secret in thread.secrets]
        embedder, counters = WatchingEmbedder(system.embedder, secrets), MemoryMetrics()
        settings = system.settings
        async with open_model(settings) as model:
            reader = self._reader or make_model_reader(model, settings)
            memory = _memory(system, embedder, reader, counters)
            written = await IngestionRun(system, memory, embedder, counters).run(threads, progress)
        metrics = {
            **_figures(written, held_back=None),
            **ingestion_latency(written.scores),
            "open": _figures(written, held_back=False),
            "held_back": _figures(written, held_back=True),
        }
        return Report(
            dataset="writing",
            settings=run_settings(system, now=self._set.now.isoformat(), reader=_name(reader)),
            metrics=metrics,
            by_category=ingestion_metrics_by_category(written.scores),
            checks=checks.check_bounds(metrics, checks.WRITING),
            failures=Failures.of(ingestion_failures(written.scores, written.secrets)),
        )


def _memory(
    system: System, embedder: WatchingEmbedder, reader: SecondReader | None, counters: MemoryMetrics
) -> MemoryService:
    return make_memory(
        system.database,
        embedder,
        system.cache,
        system.counter,
        system.settings,
        reader=reader,
        counters=counters,
    )


def _figures(written: IngestionResult, held_back: bool | None) -> Metrics:
    """Of a part of the threads, or of all of them."""
    scores = [each for each in written.scores if held_back in (None, each.held_back)]
    found = sum(each.id in written.secrets for each in scores)
    return ingestion_metrics(scores) | {"secrets_stored": found if written.redis_read else None}


def _name(reader: SecondReader | None) -> str:
    return OFFLINE if reader is None else type(reader).__name__
