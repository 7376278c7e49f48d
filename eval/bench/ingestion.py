"""Writing under load: how many memories are taken in a second, and what learning costs the turn
that somebody waits for."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.assistant import Assistant
from agent.commands.parser import parse_commands
from agent.models.provider import choose_model, model_settings
from agent.turn.events import TurnClosed
from agent.turn.lifecycle import AssistantSettings
from eval import checks
from eval.bench.workload import PrecomputedEmbedder, Sentences, run_concurrently
from eval.bulk_load import vacuum_analyze
from eval.metrics import Metrics, percentile
from eval.report import Report, run_settings
from eval.system import System
from memory.cache import SessionCache
from memory.dates import resolve_dates
from memory.factory import make_memory
from memory.ingestion.normalisation import clean_message
from memory.secrets import find_secrets
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.spaces import SpaceSettingsStore
from memory.text import to_first_person
from memory.types import DEFAULT_SPACE, NewMemory, Origin
from memory.understanding import OfflineReader

# The two ways to write take turns after so many memories, so that what else the machine does hits
# both alike.
IN_A_ROW = 50

WriteItem: TypeAlias = Callable[[str, NewMemory], Awaitable[None]]
ItemsByUser: TypeAlias = Mapping[str, Sequence[NewMemory]]


def distinct_facts(count: int, seed: int) -> list[str]:
    """`count` different memories of two sentences each, none of which would be obeyed, or refused
    as a secret."""
    sentences = Sentences(seed)
    tails = sentences.tails()
    facts: dict[str, None] = {}
    while len(facts) < count:
        [memory] = sentences.memories(1)
        fact = f"{memory} {next(tails)}"
        if not parse_commands(fact, OfflineReader()) and not find_secrets(fact):
            facts[fact] = None
    return list(facts)


async def precompute_vectors(system: System, contents: Sequence[str]) -> PrecomputedEmbedder:
    """The vectors that both ways of writing will ask for, made beforehand: of the words as they
    are, and with their dates resolved as ingestion does."""
    now = datetime.now().astimezone()
    cleaned = [clean_message(content) for content in contents]
    forms = {form for each in cleaned for form in (each, resolve_dates(each, now)[0])}
    texts = [to_first_person(form) for form in sorted(forms)]
    vectors = await system.embedder.embed_texts(texts)
    by_text = dict(zip(texts, vectors, strict=True))
    return PrecomputedEmbedder(system.embedder.model, system.embedder.dimensions, by_text)


@dataclass
class WriteTimings:
    """What one way to write took: seconds in all, milliseconds of each memory, and what became of
    them."""

    seconds: float = 0.0
    each_ms: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)


class IngestionTimer:
    """Writes for `users` at once, as the product does with at most `cap` memories a user, and
    plainly: the same rows with the same vectors, a transaction each, and nothing looked up."""

    def __init__(
        self, system: System, embedder: PrecomputedEmbedder, name: str, *, users: int, cap: int
    ) -> None:
        settings = system.settings.model_copy(update={"memory_cap": cap})
        self._memory = make_memory(
            system.database, embedder, system.cache, system.counter, settings
        )
        self._items = MemoryStore(system.database)
        self._embedder = embedder
        self._users = [f"bench:{name}:{number}" for number in range(users)]
        self._written, self._plain = WriteTimings(), WriteTimings()

    async def measure(self, contents: Sequence[str], advance: Callable[[int], None]) -> Metrics:
        step = IN_A_ROW * len(self._users)
        for start in range(0, len(contents), step):
            some = [NewMemory(content=content) for content in contents[start : start + step]]
            await self._time(self._written, self._write, "", some)
            await self._time(self._plain, self._insert, ":plain", some)
            advance(len(some))
        return self._figures(len(contents))

    async def _time(
        self, took: WriteTimings, writer: WriteItem, mark: str, some: Sequence[NewMemory]
    ) -> None:
        count = len(self._users)
        shares = {f"{user}{mark}": some[at::count] for at, user in enumerate(self._users)}
        began = time.perf_counter()
        await run_concurrently([_in_turn(took, writer, *share) for share in shares.items()])
        took.seconds += time.perf_counter() - began

    async def _write(self, user_id: str, item: NewMemory) -> None:
        outcome = await self._memory.remember(user_id, item, Origin("learning"))
        self._written.outcomes[outcome.kind] += 1

    async def _insert(self, user_id: str, item: NewMemory) -> None:
        [vector] = await self._embedder.embed_texts([to_first_person(item.content)])
        await self._items.save(user_id, EmbeddedMemory(item, vector, self._embedder.model))

    def _figures(self, count: int) -> Metrics:
        rate, plain = count / self._written.seconds, count / self._plain.seconds
        return {
            "items": count,
            "items_per_second": rate,
            "p50_ms": percentile(self._written.each_ms, 50),
            "p95_ms": percentile(self._written.each_ms, 95),
            "plain_per_second": plain,
            "plain_p50_ms": percentile(self._plain.each_ms, 50),
            "ratio": rate / plain,
            **{
                kind: self._written.outcomes[kind]
                for kind in ("kept", "repeated", "replaced", "doubtful")
            },
        }


async def _in_turn(
    took: WriteTimings, writer: WriteItem, user_id: str, items: Sequence[NewMemory]
) -> None:
    for item in items:
        began = time.perf_counter()
        await writer(user_id, item)
        took.each_ms.append((time.perf_counter() - began) * 1000)


LEARNING, READING = "bench:turns:learning", "bench:turns:reading"
WARM_UP = 5
_WITHOUT_MODEL = {"openai_api_key": None, "openai_base_url": None}


class TurnComparison:
    """Turns of the offline assistant of two users with the same memories, one of whom may not get
    new ones."""

    def __init__(self, system: System) -> None:
        self._system = system
        settings = system.settings.model_copy(update=_WITHOUT_MODEL)
        self._assistant = Assistant(
            model=choose_model(settings),
            model_settings=model_settings(settings),
            memory=system.memory,
            cache=SessionCache(system.cache),
            settings=AssistantSettings(history_messages=settings.history_messages),
            reader=OfflineReader(),
        )
        self._conversations = {LEARNING: uuid4(), READING: uuid4()}

    async def prepare(self, contents: Sequence[str]) -> None:
        for user_id in self._conversations:
            await self._system.store(user_id, [NewMemory(content=each) for each in contents])
        modes = SpaceSettingsStore(self._system.database)
        await modes.change(READING, DEFAULT_SPACE, Origin(), memory_mode="read_only")

    async def measure(self, texts: Sequence[str], progress: Progress) -> Metrics:
        """Milliseconds until the turn is closed, and what learning adds to their median and their
        95th percentile; `pair_difference` is of each turn and its twin."""
        for text in texts[:WARM_UP]:
            await self._both(text, turned=False)
        asking = progress.track(texts[WARM_UP:], description="taking turns")
        pairs = [await self._both(text, turned=bool(at % 2)) for at, text in enumerate(asking)]
        await self._assistant.aclose()
        return turn_overhead(
            [pair[LEARNING] for pair in pairs], [pair[READING] for pair in pairs]
        ) | {
            "turns_learned": await self._system.items.count(LEARNING)
            - await self._system.items.count(READING)
        }

    async def _both(self, text: str, *, turned: bool) -> dict[str, float]:
        """The same turn of both users; who comes first changes from turn to turn."""
        order = (READING, LEARNING) if turned else (LEARNING, READING)
        return {user_id: await self._answer(user_id, text) for user_id in order}

    async def _answer(self, user_id: str, text: str) -> float:
        """Until the turn is closed; what goes on behind it has ended before the next begins."""
        conversation = self._conversations[user_id]
        took = await self._until_closed(user_id, conversation, text)
        await self._assistant.noticed(user_id, conversation, DEFAULT_SPACE)
        await self._system.memory.embed_waiting(user_id)
        return took

    async def _until_closed(self, user_id: str, conversation: UUID, text: str) -> float:
        closed = began = time.perf_counter()
        async for event in self._assistant.answer(user_id, conversation, text):
            if isinstance(event, TurnClosed):
                closed = time.perf_counter()
        return (closed - began) * 1000


def turn_overhead(learning: Sequence[float], reading: Sequence[float]) -> Metrics:
    """Both in milliseconds, in the same order. Of nothing there is no figure."""
    figures: Metrics = {"turns": len(learning)}
    differences = [one - other for one, other in zip(learning, reading, strict=True)]
    for q in (50, 95):
        on, off = percentile(learning, q), percentile(reading, q)
        figures |= {
            f"turn_p{q}_ms": on,
            f"read_only_turn_p{q}_ms": off,
            f"turn_overhead_p{q}_ms": None if on is None or off is None else on - off,
            f"pair_difference_p{q}_ms": percentile(differences, q),
        }
    return figures


SEED = 20_261_122
USERS = 10
TURNS = 125
# What both users of the turns remember beforehand.
REMEMBERED = 100


class IngestionBench:
    """`items` are written three times: for one user, whose store grows to the cap and is trimmed
    from there on; for one whose cap they do not reach; and for ten at once."""

    def __init__(self, items: int = 1_000) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        cases = await self._ingest(system, progress)
        await vacuum_analyze(system.owner_url)
        turns = await self._take_turns(system, progress)
        metrics = {**_worst(cases), **turns}
        return Report(
            dataset="bench-writing",
            settings=run_settings(
                system,
                items=self._items,
                users=USERS,
                memory_cap=system.settings.memory_cap,
                turns=TURNS,
            ),
            metrics=metrics,
            by_category=dict(cases),
            checks=checks.check_bounds(metrics, checks.BENCH_WRITING),
        )

    async def _ingest(self, system: System, progress: Progress) -> dict[str, Metrics]:
        contents = distinct_facts(self._items, SEED)
        embedder = await precompute_vectors(system, contents)
        cap = system.settings.memory_cap
        cases = {
            "one_user_to_the_cap": IngestionTimer(system, embedder, "capped", users=1, cap=cap),
            "one_user": IngestionTimer(system, embedder, "one", users=1, cap=2 * self._items),
            "ten_users": IngestionTimer(system, embedder, "ten", users=USERS, cap=cap),
        }
        task = progress.add_task("writing memories", total=len(cases) * self._items)
        return {
            name: await case.measure(contents, lambda count: progress.advance(task, count))
            for name, case in cases.items()
        }

    async def _take_turns(self, system: System, progress: Progress) -> Metrics:
        facts = distinct_facts(REMEMBERED + TURNS, SEED + 1)
        turns = TurnComparison(system)
        await turns.prepare(facts[:REMEMBERED])
        return await turns.measure(facts[REMEMBERED:], progress)


def _worst(cases: Mapping[str, Metrics]) -> Metrics:
    """The slowest case speaks for all of them."""
    slowest = min(cases.values(), key=lambda figures: figures["items_per_second"] or 0.0)
    return {name: slowest[name] for name in ("items_per_second", "plain_per_second", "ratio")}
