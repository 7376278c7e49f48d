"""5,000 memories over an invented life of two years: what remains of them, what is still found, and
what is saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import UUID

import numpy as np
from rich.progress import Progress

from eval import checks
from eval.metrics import Metrics, mean, percentile, proportion
from eval.report import Report, run_settings
from eval.system import System
from memory.factory import make_memory
from memory.ingestion.metadata import extract_metadata
from memory.ingestion.preparation import MemoryPreparer
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.types import MemoryQueryRequest, NewMemory
from memory.understanding import OfflineReader

_WORDS = {
    "person": """Anna Ben Carla David Elif Farid Greta Hugo Ines Jonas Karim Lena Mateo Nadia Omar
        Priya Quentin Rosa Sven Tomas Uma Viktor Wanda Xenia Yusuf Zoe Amir Bianca Cyril Dana Erik
        Fatima Goran Helga Ivan Jana Kofi Livia Magnus Noemi Oscar Petra Ramon Signe Tariq Ursula
        Vera Willem Yara Zeno""",
    "thing": """canoe bicycle laptop guitar kettle camera backpack printer blender tent ladder drill
        sofa lamp microscope telescope keyboard mattress freezer boiler router projector piano
        violin helmet stroller aquarium greenhouse chainsaw lawnmower tractor trailer scooter
        skateboard kayak loom easel kiln lathe caravan sauna wardrobe bookcase dishwasher hammock
        toaster accordion anvil typewriter""",
    "place": """Oslo Lisbon Bristol Vienna Ghent Porto Turin Malmo Tallinn Krakow Leipzig Utrecht
        Bergen Galway Basel Lyon Bilbao Zagreb Riga Graz Aarhus Tampere Nantes""",
    "room": "kitchen garage garden basement attic workshop hallway study cellar shed",
    "food": """lentils bread yoghurt salmon mushrooms pancakes tofu cheese spinach noodles porridge
        dumplings chickpeas herring pumpkin barley fennel couscous""",
    "colour": "blue green red yellow black white grey purple orange brown",
    "job": """nurse welder teacher pilot baker lawyer plumber editor dentist florist surveyor
        translator""",
    "company": """Equinor Siemens Novartis Ikea Bosch Ericsson Philips Nokia Maersk Unilever Telenor
        Volvo""",
    "number": " ".join(str(number) for number in range(12, 98)),
    "small": " ".join(str(number) for number in range(2, 12)),
    "month": """January February March April May June July August September October November
        December""",
    "seller": "Berg Holm Lund Dahl Strand Vik Moen Haugen Lie Bakke",
    "sport": "swimming running rowing climbing yoga tennis cycling skating",
}
VALUES = {slot: tuple(words.split()) for slot, words in _WORDS.items()}
OWNERS = ("my", "my sister's", "my brother's", "the office's", "our neighbour's")

# What is told of a thing, and how it is asked.
DETAILS = (
    ("We paid {number}0 euros for {thing}", "How much did we pay for {thing}?"),
    ("We bought {thing} from Mr {seller}", "Who sold us {thing}?"),
    ("We keep {thing} in the {room}", "Where do we keep {thing}?"),
    ("The colour of {thing} is {colour}", "What colour is {thing}?"),
    ("The weight of {thing} is {number} kilograms", "How heavy is {thing}?"),
    ("The warranty of {thing} ends in {month}", "When does the warranty of {thing} end?"),
    ("The spare part for {thing} is from {place}", "Where is the spare part for {thing} from?"),
    ("The number of {thing} ends in {number}{small}", "What is the number of {thing}?"),
)
LASTING = (
    ("My colleague {person} was born in {place}", "Where was my colleague {person} born?"),
    ("{person} is allergic to {food}", "What is {person} allergic to?"),
    ("{person}'s birthday is in {month}", "In which month is {person}'s birthday?"),
    ("{person} taught me {sport} when I was {small}", "Which sport did {person} teach me?"),
    ("{person} owes me {number} euros", "How much does {person} owe me?"),
    ("{person}'s favourite colour is {colour}", "What is {person}'s favourite colour?"),
)
CHANGES = (
    ("{person} works at {company} now", "Where does {person} work?"),
    ("{person} lives in {place} now", "Where does {person} live?"),
    ("{person} works as a {job} now", "What is {person}'s job?"),
)
ROUTINES = (
    "I ran {small} km along the river in {number} minutes on {day}",
    "I had {food} with {person} for lunch on {day}",
    "I watered the plants in the {room} on {day}",
    "I slept {small} hours and woke up tired on {day}",
    "I went {sport} with {person} on {day}",
    "I cooked {food} with {food} for dinner on {day}",
    "The meeting with {person} about {company} took {number} minutes on {day}",
    "I read {number} pages before bed on {day}",
    "I called {person} about the trip to {place} on {day}",
    "I cleaned the {room} and the {room} on {day}",
)


BEGIN = datetime(2024, 11, 1, 8, tzinfo=UTC)
END = BEGIN + timedelta(days=730)
# Of the memories, what is said of things, what lasts, and what changes; the rest is routine.
_SHARES = {"details": 0.36, "lasting": 0.10, "changes": 0.06}
_VERSIONS = 3
_QUESTIONS = {"details": 180, "lasting": 80, "changes": 40}


@dataclass(frozen=True)
class YearsStatement:
    """A memory by its place in the life; `replaces` is the place of what it makes untrue."""

    place: int
    item: NewMemory
    replaces: int | None = None


@dataclass(frozen=True)
class YearsQuestion:
    """What is asked at the end, and the memory that answers it and still holds."""

    text: str
    answer: YearsStatement
    kind: str


@dataclass(frozen=True)
class YearsStory:
    """Everything that was said, the oldest first, and the questions."""

    said: tuple[YearsStatement, ...]
    questions: tuple[YearsQuestion, ...]


class StoryGenerator:
    """The same life for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._places = count()
        self._things = self._named_things()

    def life(self, items: int) -> YearsStory:
        counts = {kind: int(items * part) for kind, part in _SHARES.items()}
        most = len(self._things) * len(DETAILS)
        asked = [
            *self._details(min(counts["details"], most)),
            *self._lasting(counts["lasting"]),
        ]
        changes = list(self._changes(counts["changes"] // _VERSIONS))
        said = [question.answer for question in asked]
        said += [each for versions, _ in changes for each in versions]
        said += self._routines(items - len(said))
        asked += [question for _, question in changes]
        in_order = sorted(said, key=_said_at)
        return YearsStory(tuple(in_order), tuple(self._chosen(asked)))

    def _details(self, wanted: int) -> Iterator[YearsQuestion]:
        """Of each thing several details, learned over some weeks."""
        for number in range(wanted):
            detail, thing = number % len(DETAILS), number // len(DETAILS)
            if detail == 0:
                began = self._day(0, 700)
            told, asks = DETAILS[detail]
            named = self._values() | {"thing": self._things[thing]}
            day = min(began + timedelta(days=float(self._rng.uniform(0, 30))), END)
            said = self._said(told.format(**named), day)
            yield YearsQuestion(asks.format(**named), said, "details")

    def _lasting(self, wanted: int) -> Iterator[YearsQuestion]:
        for number in range(wanted):
            told, asks = LASTING[number % len(LASTING)]
            named = self._values() | {"person": self._person(number // len(LASTING))}
            said = self._said(told.format(**named), self._day(0, 729))
            yield YearsQuestion(asks.format(**named), said, "lasting")

    def _changes(self, wanted: int) -> Iterator[tuple[list[YearsStatement], YearsQuestion]]:
        """Something that became otherwise twice: the versions, and what is asked of the last."""
        for number in range(wanted):
            told, asks = CHANGES[number % len(CHANGES)]
            person = self._person(number // len(CHANGES))
            days = np.sort(self._rng.uniform(0, 729, size=_VERSIONS))
            versions: list[YearsStatement] = []
            for day in days:
                text = told.format(person=person, **self._values())
                before = versions[-1].place if versions else None
                at = BEGIN + timedelta(days=float(day))
                versions.append(self._said(text, at, replaces=before))
            yield versions, YearsQuestion(asks.format(person=person), versions[-1], "changes")

    def _routines(self, wanted: int) -> Iterator[YearsStatement]:
        """What happens again and again, each with its day."""
        for _ in range(wanted):
            pattern = ROUTINES[self._rng.integers(len(ROUTINES))]
            at = self._day(0, 729)
            day = f"{at.day} {at:%B %Y}"
            text = pattern.format(day=day, person=self._pick("person"), **self._values())
            yield self._said(text, at, type="note", occurred_at=at)

    def _said(
        self, text: str, at: datetime, *, replaces: int | None = None, **fields: object
    ) -> YearsStatement:
        item = NewMemory.model_validate(
            {"content": text, "tags": extract_metadata(text).tags, "created_at": at} | fields
        )
        return YearsStatement(next(self._places), item, replaces)

    def _chosen(self, asked: Sequence[YearsQuestion]) -> Iterator[YearsQuestion]:
        for kind, wanted in _QUESTIONS.items():
            those = [each for each in asked if each.kind == kind]
            picks = self._rng.permutation(len(those))[:wanted]
            yield from (those[pick] for pick in sorted(picks))

    def _day(self, first: int, last: int) -> datetime:
        return BEGIN + timedelta(days=float(self._rng.uniform(first, last)))

    def _named_things(self) -> list[str]:
        named = [f"{owner} {thing}" for thing in VALUES["thing"] for owner in OWNERS]
        return [named[place] for place in self._rng.permutation(len(named))]

    def _person(self, number: int) -> str:
        """A different name for each number."""
        names = VALUES["person"]
        family, first = divmod(number, len(names))
        return names[first] if family == 0 else f"{names[first]} {names[-family]}son"

    def _values(self) -> dict[str, str]:
        return {slot: self._pick(slot) for slot in VALUES if slot != "person"}

    def _pick(self, slot: str) -> str:
        words = VALUES[slot]
        return words[self._rng.integers(len(words))]


def _said_at(said: YearsStatement) -> datetime:
    return said.item.created_at or BEGIN


NIGHTS_BETWEEN = 7
_BATCH = 250
_EMBED_SECONDS = 60.0
_REPLACE = """
UPDATE memory_items SET superseded_by = $2, valid_to = $3 WHERE user_id = $1 AND id = $4
"""


class StoryPlayer:
    """One user's. `prepared` are the memories by their place."""

    def __init__(
        self,
        system: System,
        memory: MemoryService,
        user_id: str,
        prepared: Mapping[int, EmbeddedMemory],
    ) -> None:
        self._database = system.database
        self._items = MemoryStore(system.database)
        self._memory = memory
        self._user_id = user_id
        self._prepared = prepared
        self.ids: dict[int, UUID] = {}
        self.night_seconds: list[float] = []

    async def play(
        self, said: Sequence[YearsStatement], advance: Callable[[int], None], *, upkeep: bool
    ) -> None:
        """Every NIGHTS_BETWEEN days what was said since is kept, and with `upkeep` a night is
        done."""
        waiting, now = list(said), BEGIN
        while now < END:
            now = min(now + timedelta(days=NIGHTS_BETWEEN), END)
            week = [each for each in waiting if (each.item.created_at or BEGIN) < now]
            waiting = waiting[len(week) :] if now < END else []
            await self._keep(week if now < END else [*week, *waiting])
            if upkeep:
                await self._night(now)
            advance(len(week))

    async def _keep(self, week: Sequence[YearsStatement]) -> None:
        kept = await self._items.save_all(
            self._user_id, [self._prepared[each.place] for each in week]
        )
        self.ids |= {each.place: item.id for each, item in zip(week, kept, strict=True)}
        replaced = [
            (self._user_id, self.ids[each.place], each.item.created_at, self.ids[each.replaces])
            for each in week
            if each.replaces is not None
        ]
        async with self._database.as_user(self._user_id) as connection:
            await connection.executemany(_REPLACE, replaced)

    async def _night(self, now: datetime) -> None:
        began, lifecycle = time.perf_counter(), self._memory.lifecycle
        await lifecycle.rolling_up.run(self._user_id, now)
        await lifecycle.keep_caps(self._user_id, now)
        await lifecycle.indexes.prune_vectors(self._user_id, now)
        await lifecycle.retention.run(self._user_id, now)
        self.night_seconds.append(time.perf_counter() - began)


async def embed_statements(
    system: System, said: Sequence[YearsStatement], advance: Callable[[int], None]
) -> dict[int, EmbeddedMemory]:
    """Every memory with its vector, made once for both users."""
    preparer = MemoryPreparer(system.embedder, OfflineReader(), embedding_timeout=_EMBED_SECONDS)
    made: dict[int, EmbeddedMemory] = {}
    for start in range(0, len(said), _BATCH):
        batch = said[start : start + _BATCH]
        ready = await preparer.as_given([each.item for each in batch])
        made |= {each.place: new for each, new in zip(batch, ready, strict=True)}
        advance(len(batch))
    return made


_COUNT = """
SELECT count(*) AS rows,
       count(*) FILTER (WHERE deleted_at IS NULL AND superseded_by IS NULL) AS in_recall,
       count(*) FILTER (WHERE deleted_at IS NULL AND summary_of <> '{}') AS roll_ups,
       count(*) FILTER (WHERE removed_because = 'archived') AS archived,
       count(*) FILTER (WHERE superseded_by IS NOT NULL) AS replaced,
       count(embedding) AS vectors,
       sum(pg_column_size(item.*)) / 1024.0 AS kilobytes
FROM memory_items AS item WHERE user_id = $1
"""
_ROLLED_UP = """
SELECT coalesce(sum(cardinality(summary_of)), 0) FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL
"""


async def storage_metrics(database: Database, user_id: str) -> Metrics:
    """Rows, those in recall, roll-ups, what they tell of, what is archived or replaced, vectors,
    and kilobytes of rows."""
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(_COUNT, user_id)
        told = await connection.fetchval(_ROLLED_UP, user_id)
    assert row is not None
    figures: Metrics = {name: float(value) for name, value in row.items()}
    return {**figures, "rolled_up": float(told)}


SEED = 20_261_101
TOP = 5
KEPT, ROLLED = "bench:kept", "bench:rolled"
# Of neither user anything is trimmed: what is measured is what the roll-ups do.
NO_CAP = 1_000_000


class YearsBench:
    """Two users live the same two years; only one of them has nights in which memories are put
    together. Both are asked the same at the end."""

    def __init__(self, items: int = 5_000) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        life = StoryGenerator(SEED).life(self._items)
        settings = system.settings.model_copy(update={"memory_cap": NO_CAP})
        memory = make_memory(
            system.database, system.embedder, system.cache, system.counter, settings
        )
        nights = await self._live(system, memory, life, progress)
        asking = progress.track(life.questions, description="asking questions")
        found = [(each, await _asked(memory, each)) for each in asking]
        await memory.aclose()
        remains = {
            "kept": await storage_metrics(system.database, KEPT),
            "rolled": await storage_metrics(system.database, ROLLED),
        }
        return self._report(system, found, remains, nights)

    async def _live(
        self, system: System, memory: MemoryService, life: YearsStory, progress: Progress
    ) -> list[float]:
        embedding = progress.add_task("embedding", total=len(life.said))
        ready = await embed_statements(
            system, life.said, lambda done: progress.advance(embedding, done)
        )
        task = progress.add_task("living two years, twice", total=2 * len(life.said))
        nights: list[float] = []
        for user_id in (KEPT, ROLLED):
            years = StoryPlayer(system, memory, user_id, ready)
            await years.play(
                life.said, lambda done: progress.advance(task, done), upkeep=user_id == ROLLED
            )
            nights += years.night_seconds
        return nights

    def _report(
        self,
        system: System,
        found: Sequence[tuple[YearsQuestion, tuple[bool, bool]]],
        remains: dict[str, Metrics],
        nights: Sequence[float],
    ) -> Report:
        metrics = _metrics(found, remains, nights)
        return Report(
            dataset="bench-years",
            settings=run_settings(
                system,
                items=self._items,
                questions=len(found),
                nights=len(nights),
                days_between=NIGHTS_BETWEEN,
                strategy=system.settings.roll_up_strategy,
                similarity=system.settings.roll_up_similarity,
            ),
            metrics=metrics,
            by_category={**remains, **_by_kind(found)},
            checks=checks.check_bounds(metrics, checks.BENCH_YEARS),
        )


def _metrics(
    found: Sequence[tuple[YearsQuestion, tuple[bool, bool]]],
    remains: dict[str, Metrics],
    nights: Sequence[float],
) -> Metrics:
    before, after = (proportion(hits[place] for _, hits in found) or 0.0 for place in (0, 1))
    return {
        "recall_at_5_before": before,
        "recall_at_5_after": after,
        "points_lost": points_lost([hits for _, hits in found]),
        "rolled_up": remains["rolled"]["rolled_up"],
        "in_recall_share": _ratio(remains, "in_recall"),
        "rows_share": _ratio(remains, "rows"),
        "vectors_share": _ratio(remains, "vectors"),
        "storage_saved": 1 - _ratio(remains, "kilobytes"),
        "night_seconds": mean(nights),
        "night_p95_seconds": percentile(nights, 95),
    }


def points_lost(hits: Sequence[tuple[bool, bool]]) -> float:
    """The share of questions that were answered before and are not now, less those the other way
    round. Counted in whole questions: 0.94 - 0.92 is more than 0.02 to a computer."""
    return sum(was - now for was, now in hits) / len(hits)


async def _asked(memory: MemoryService, question: YearsQuestion) -> tuple[bool, bool]:
    """Whether each of the two is told the words of the answer among the first TOP memories."""
    kept, rolled = [await _answered(memory, user_id, question) for user_id in (KEPT, ROLLED)]
    return kept, rolled


async def _answered(memory: MemoryService, user_id: str, question: YearsQuestion) -> bool:
    request = MemoryQueryRequest(user_id=user_id, query=question.text, limit=TOP)
    response = await memory.recall(request, now=END)
    return any(question.answer.item.content in item.content for item in response.items)


def _by_kind(found: Sequence[tuple[YearsQuestion, tuple[bool, bool]]]) -> dict[str, Metrics]:
    kinds = dict.fromkeys(question.kind for question, _ in found)
    return {
        kind: {
            f"recall_at_5_{name}": proportion(
                hits[place] for question, hits in found if question.kind == kind
            )
            for place, name in enumerate(("before", "after"))
        }
        for kind in kinds
    }


def _ratio(remains: dict[str, Metrics], name: str) -> float:
    before, after = remains["kept"][name], remains["rolled"][name]
    return (after or 0.0) / before if before else 0.0
