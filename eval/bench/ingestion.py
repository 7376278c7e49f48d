"""How many memories a second the write path takes, beside a plain INSERT of the same rows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from agent.turn.heard import hear_commands
from eval.bench.known_embedder import KnownEmbedder
from eval.bench.sentences import Sentences
from eval.bench.timing import at_once
from eval.measures.metrics import percentile
from eval.measures.summary import Figures
from eval.system import System
from memory.assembly import make_memory
from memory.dates import resolve
from memory.first_person import as_first_person
from memory.models import NewItem, Origin
from memory.secrets import find_secrets
from memory.store.memories.items import EmbeddedItem, Items
from memory.understanding import OfflineReader
from memory.write.normalise import clean_message

# The two ways to write take turns after so many memories, so that what else the machine does hits
# both alike.
IN_A_ROW = 50

Writer: TypeAlias = Callable[[str, NewItem], Awaitable[None]]
Shares: TypeAlias = Mapping[str, Sequence[NewItem]]


def distinct_facts(count: int, seed: int) -> list[str]:
    """`count` different memories of two sentences each, none of which would be obeyed, or refused
    as a secret."""
    sentences = Sentences(seed)
    tails = sentences.tails()
    facts: dict[str, None] = {}
    while len(facts) < count:
        [memory] = sentences.memories(1)
        fact = f"{memory} {next(tails)}"
        if not hear_commands(fact, OfflineReader()) and not find_secrets(fact):
            facts[fact] = None
    return list(facts)


async def know(system: System, contents: Sequence[str]) -> KnownEmbedder:
    """The vectors that both ways of writing will ask for, made beforehand: of the words as they
    are, and with their dates resolved as the write path does."""
    now = datetime.now().astimezone()
    cleaned = [clean_message(content) for content in contents]
    forms = {form for each in cleaned for form in (each, resolve(each, now)[0])}
    texts = [as_first_person(form) for form in sorted(forms)]
    vectors = await system.embedder.embed_texts(texts)
    by_text = dict(zip(texts, vectors, strict=True))
    return KnownEmbedder(system.embedder.model, system.embedder.dimensions, by_text)


@dataclass
class Took:
    """What one way to write took: seconds in all, milliseconds of each memory, and what became of
    them."""

    seconds: float = 0.0
    each_ms: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)


class Ingestion:
    """Writes for `users` at once, as the product does with at most `cap` memories a user, and
    plainly: the same rows with the same vectors, a transaction each, and nothing looked up."""

    def __init__(
        self, system: System, embedder: KnownEmbedder, name: str, *, users: int, cap: int
    ) -> None:
        settings = system.settings.model_copy(update={"memory_cap": cap})
        self._memory = make_memory(
            system.database, embedder, system.cache, system.counter, settings
        )
        self._items = Items(system.database)
        self._embedder = embedder
        self._users = [f"bench:{name}:{number}" for number in range(users)]
        self._written, self._plain = Took(), Took()

    async def measure(self, contents: Sequence[str], advance: Callable[[int], None]) -> Figures:
        step = IN_A_ROW * len(self._users)
        for start in range(0, len(contents), step):
            some = [NewItem(content=content) for content in contents[start : start + step]]
            await self._time(self._written, self._write, "", some)
            await self._time(self._plain, self._insert, ":plain", some)
            advance(len(some))
        return self._figures(len(contents))

    async def _time(self, took: Took, writer: Writer, mark: str, some: Sequence[NewItem]) -> None:
        count = len(self._users)
        shares = {f"{user}{mark}": some[at::count] for at, user in enumerate(self._users)}
        began = time.perf_counter()
        await at_once([_in_turn(took, writer, *share) for share in shares.items()])
        took.seconds += time.perf_counter() - began

    async def _write(self, user_id: str, item: NewItem) -> None:
        outcome = await self._memory.remember(user_id, item, Origin("learning"))
        self._written.outcomes[outcome.kind] += 1

    async def _insert(self, user_id: str, item: NewItem) -> None:
        [vector] = await self._embedder.embed_texts([as_first_person(item.content)])
        await self._items.save(user_id, EmbeddedItem(item, vector, self._embedder.model))

    def _figures(self, count: int) -> Figures:
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


async def _in_turn(took: Took, writer: Writer, user_id: str, items: Sequence[NewItem]) -> None:
    for item in items:
        began = time.perf_counter()
        await writer(user_id, item)
        took.each_ms.append((time.perf_counter() - began) * 1000)
