"""`python -m app stats`: what was counted in the last days, and what is there at the moment."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import structlog
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from app.console import Progress
from app.runner import CliCommand, Shutdown
from app.services import open_services, prepare_schema
from memory.config import Settings
from memory.errors import SchemaOutdated
from memory.metrics import BACKGROUND_BUCKETS, FAST_BUCKETS, SLOW_BUCKETS
from memory.store.database import WORKER_ROLE, Database
from memory.store.jobs import JobQueue
from memory.store.statistics import (
    BankStatistics,
    MetricSample,
    MetricTotalStore,
    UserStatistics,
    UserStatisticsStore,
)

BLOCKS_WIDTH = 16
BLOCKS = "▁▂▃▄▅▆▇█"
FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
MINUTE, HOUR, DAY = 60, 3600, 86_400
_log = structlog.get_logger(__name__)


def sparkline(values: Sequence[float], width: int = BLOCKS_WIDTH) -> str:
    """One block for each value, or for as many together as find room in `width`; the greatest is a
    full one, and 0 a space, so that a quiet day is told from a small one."""
    together = max(math.ceil(len(values) / width), 1)
    values = [sum(values[at : at + together]) for at in range(0, len(values), together)]
    most = max(values, default=0.0)
    if most <= 0:
        return ""
    return "".join(
        " " if value <= 0 else BLOCKS[min(int(value / most * len(BLOCKS)), len(BLOCKS) - 1)]
        for value in values
    )


def block_bar(value: float, most: float, width: int = BLOCKS_WIDTH) -> str:
    """`width` characters for the most, in steps of an eighth of one."""
    if most <= 0 or value <= 0:
        return ""
    eighths = max(round(value / most * width * 8), 1)
    return FULL * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def format_count(value: float) -> str:
    return f"{value:,.0f}"


def format_share(part: float, whole: float) -> str:
    """In per cent; a dash where there is no whole."""
    return f"{part / whole:.0%}" if whole else "–"


def format_dollars(value: float) -> str:
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:,.4f}"


def format_seconds(value: float | None) -> str:
    """In the unit that reads best; a dash where nothing was measured."""
    if value is None:
        return "–"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if value >= unit:
            return f"{value / unit:.1f} {name}"
    return f"{value:.1f} s"


METRIC_PREFIX = "keepsake_"


@dataclass(frozen=True)
class MetricFigures:
    """`days` follow one another, the last one is today; names are given without their prefix and
    without `_total`, labels in any number."""

    days: Sequence[date]
    sums: Mapping[date, Sequence[MetricSample]]

    def total(self, name: str, **labels: str) -> float:
        """Of all days together."""
        return sum(self.by_day(name, **labels))

    def by_day(self, name: str, **labels: str) -> list[float]:
        """One number for each day, 0 where nothing was counted."""
        named = f"{METRIC_PREFIX}{name}_total"
        return [sum(each.value for each in self._of(day, named, labels)) for day in self.days]

    def by_label(self, name: str, label: str, **labels: str) -> dict[str, float]:
        """The most first."""
        found: dict[str, float] = {}
        for day in self.days:
            for each in self._of(day, f"{METRIC_PREFIX}{name}_total", labels):
                key = each.labels.get(label, "")
                found[key] = found.get(key, 0.0) + each.value
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

    def quantile(
        self, name: str, share: float, bounds: Sequence[float], **labels: str
    ) -> float | None:
        """Of a histogram with these bounds, interpolated within its bucket as Prometheus does; None
        where nothing was measured. What lies above the last bound counts as that bound."""
        held = self._buckets(name, labels)
        rank, low, below = share * held.get(math.inf, 0.0), 0.0, 0.0
        if not rank:
            return None
        for high in bounds:
            upto = held.get(high, 0.0)
            if upto >= rank:
                return low + (high - low) * (rank - below) / (upto - below)
            low, below = high, upto
        return low

    def _buckets(self, name: str, labels: Mapping[str, str]) -> dict[float, float]:
        """What lies at or below each bound; one that was never added to is not in it."""
        found: dict[float, float] = {}
        for day in self.days:
            for each in self._of(day, f"{METRIC_PREFIX}{name}_bucket", labels):
                bound = float(each.labels["le"])
                found[bound] = found.get(bound, 0.0) + each.value
        return found

    def _of(self, day: date, name: str, labels: Mapping[str, str]) -> Iterator[MetricSample]:
        for each in self.sums.get(day, ()):
            if each.name == name and labels.items() <= each.labels.items():
                yield each


MOST_ACTIONS = 6
NOUNS = {"items": "memories"}


@dataclass(frozen=True)
class StatsLine:
    """`drawn` is a sparkline over the days, or a bar."""

    name: str
    value: str
    drawn: str = ""


@dataclass(frozen=True)
class StatsSection:
    title: str
    lines: tuple[StatsLine, ...]


def counted_sections(figures: MetricFigures) -> list[StatsSection]:
    """What all programs counted; a section in which nothing was is left out."""
    made = [
        StatsSection("Turns", tuple(_turns(figures))),
        StatsSection("Recall", tuple(_recall(figures))),
        StatsSection("Kept", tuple(_kept(figures))),
        StatsSection("What users did", _by_label(figures, "user_actions", "action")),
        StatsSection("Models", tuple(_models(figures))),
        StatsSection("Work behind", tuple(_work(figures))),
    ]
    return [each for each in made if each.lines]


def own_section(user_id: str, own: UserStatistics) -> StatsSection:
    """The user's memory: what is in recall by bank, then all that is there by state."""
    most = max(own.banks.values(), default=0)
    banks = [
        StatsLine(bank, format_count(held), block_bar(held, most))
        for bank, held in own.banks.items()
    ]
    states = [StatsLine(f"· {state}", format_count(held)) for state, held in own.states.items()]
    done = [
        StatsLine(f"did: {action}", format_count(times))
        for action, times in [*own.actions.items()][:MOST_ACTIONS]
    ]
    lines = (*banks, *states, *done) or (StatsLine("nothing is remembered yet", ""),)
    return StatsSection(f"Memory of {user_id}", lines)


def queue_section(
    backlog: Mapping[str, tuple[int, float]], jobs: Mapping[str, int]
) -> StatsSection:
    """What waits at this moment: rows without a vector with the age of the oldest in seconds, and
    jobs by state."""
    waiting = [
        StatsLine(
            f"{NOUNS.get(noun, noun)} without vector",
            format_count(rows),
            f"oldest {format_seconds(age)}" if rows else "",
        )
        for noun, (rows, age) in backlog.items()
    ]
    names = {"queued": "jobs queued", "picked": "jobs being done", "failed": "jobs given up"}
    queued = [
        StatsLine(names.get(state, state), format_count(held)) for state, held in jobs.items()
    ]
    return StatsSection("Waiting now, of all users", (*waiting, *queued))


def banks_section(held: Mapping[str, int]) -> StatsSection:
    most = max(held.values(), default=0)
    lines = [
        StatsLine(bank, format_count(number), block_bar(number, most))
        for bank, number in held.items()
    ]
    return StatsSection("Memories by bank, of all users", tuple(lines))


def _turns(figures: MetricFigures) -> Iterator[StatsLine]:
    turns = figures.total("turns")
    if not turns:
        return
    recalled, cited = figures.total("turns_recalled"), figures.total("turns_cited")
    yield StatsLine("turns", format_count(turns), sparkline(figures.by_day("turns")))
    yield StatsLine(
        "that recalled", format_share(recalled, turns), sparkline(figures.by_day("turns_recalled"))
    )
    yield StatsLine(
        "hit rate", format_share(cited, recalled), sparkline(figures.by_day("turns_cited"))
    )
    private = turns - figures.total("turns", privacy="normal")
    yield StatsLine("incognito", format_count(private))


def _recall(figures: MetricFigures) -> Iterator[StatsLine]:
    for kind in ("memories", "messages"):
        if not (total := figures.total("recalls", kind=kind)):
            continue
        yield StatsLine(
            f"of {kind}", format_count(total), sparkline(figures.by_day("recalls", kind=kind))
        )
        yield StatsLine(
            "  p50, p95", _quantiles(figures, "recall_seconds", FAST_BUCKETS, kind=kind)
        )
        outcomes = figures.by_label("recalls", "outcome", kind=kind)
        for outcome, number in outcomes.items():
            yield StatsLine(f"  {outcome}", format_share(number, total), block_bar(number, total))
    if figures.quantile("embed_seconds", 0.5, FAST_BUCKETS) is not None:
        query = _quantiles(figures, "embed_seconds", FAST_BUCKETS, operation="query")
        yield StatsLine("embedding p50, p95", query)
    if failed := figures.total("embed_failures"):
        yield StatsLine(
            "embeddings failed", format_count(failed), sparkline(figures.by_day("embed_failures"))
        )


def _kept(figures: MetricFigures) -> Iterator[StatsLine]:
    names = {
        "memories_kept": "new memories",
        "dedupe_saves": "repeats, not stored",
        "supersedes": "replaced",
        "refused": "refused",
        "memories_pruned": "trimmed",
        "protected_trims_avoided": "would-be trims of pinned",
        "memories_summarized": "roll-ups made",
    }
    for name, told in names.items():
        if total := figures.total(name):
            yield StatsLine(told, format_count(total), sparkline(figures.by_day(name)))


def _models(figures: MetricFigures) -> Iterator[StatsLine]:
    costs = figures.by_label("model_cost_dollars", "operation")
    for operation, calls in figures.by_label("model_calls", "operation").items():
        drawn = sparkline(figures.by_day("model_calls", operation=operation))
        yield StatsLine(f"{operation}: calls", format_count(calls), drawn)
        yield StatsLine(
            "  p50, p95", _quantiles(figures, "model_seconds", SLOW_BUCKETS, operation=operation)
        )
        if failed := figures.total("model_calls", operation=operation, outcome="failed"):
            yield StatsLine("  failed", format_share(failed, calls))
    for operation, cost in costs.items():
        tokens = figures.total("model_tokens", operation=operation)
        yield StatsLine(
            f"{operation}: tokens", format_count(tokens), f"about {format_dollars(cost)}"
        )
    if skipped := figures.total("llm_calls_skipped"):
        yield StatsLine("extractions spared", format_count(skipped))


def _work(figures: MetricFigures) -> Iterator[StatsLine]:
    if figures.quantile("embedding_wait_seconds", 0.5, BACKGROUND_BUCKETS) is not None:
        yield StatsLine(
            "time to embed p50, p95",
            _quantiles(figures, "embedding_wait_seconds", BACKGROUND_BUCKETS),
        )
    for outcome, number in figures.by_label("jobs_done", "outcome").items():
        drawn = sparkline(figures.by_day("jobs_done", outcome=outcome))
        yield StatsLine(f"jobs {outcome.replace('_', ' ')}", format_count(number), drawn)
    for part, number in figures.by_label("error_guard_activations", "dependency").items():
        drawn = sparkline(figures.by_day("error_guard_activations", dependency=part))
        yield StatsLine(f"{part} left alone", format_count(number), drawn)


def _by_label(figures: MetricFigures, name: str, label: str) -> tuple[StatsLine, ...]:
    return tuple(
        StatsLine(value, format_count(number), sparkline(figures.by_day(name, **{label: value})))
        for value, number in figures.by_label(name, label).items()
    )


def _quantiles(figures: MetricFigures, name: str, bounds: tuple[float, ...], **labels: str) -> str:
    found = [figures.quantile(name, each, bounds, **labels) for each in (0.5, 0.95)]
    return ", ".join(format_seconds(each) for each in found)


async def read_sections(
    database: Database, user_id: str, days: int, now: datetime
) -> list[StatsSection]:
    """The user's own memory, what was counted in the last `days` (in UTC, today is one of them),
    and, where the login may act as the worker, what waits. Raises DatabaseUnavailable."""
    today = now.astimezone(UTC).date()
    span = [today - timedelta(days=back) for back in reversed(range(days))]
    since = datetime.combine(span[0], time(), tzinfo=UTC)
    own = await UserStatisticsStore(database).read(user_id, since)
    figures = MetricFigures(span, await MetricTotalStore(database).read(span[0]))
    return [
        own_section(user_id, own),
        *counted_sections(figures),
        *await _of_everybody(database.as_role(WORKER_ROLE), now),
    ]


async def _of_everybody(worker: Database, now: datetime) -> list[StatsSection]:
    queue = JobQueue(worker)
    try:
        rows = await queue.backlog()
        jobs, banks = await queue.states(), await BankStatistics(worker).banks()
    except SchemaOutdated as error:  # as which the database refuses the role
        _log.info("stats_of_one_user", reason=str(error))
        return []
    backlog = {
        each.noun: (each.count, (now - each.oldest).total_seconds() if each.oldest else 0.0)
        for each in rows
    }
    return [queue_section(backlog, jobs), banks_section(banks)]


PANEL_WIDTH = 61
MOST_COLUMNS = 3


def print_stats(
    console: Console, title: str, sections: Sequence[StatsSection], *, plain: bool
) -> None:
    """`plain` has one line for each number, parted by tabs, under the title of its section."""
    if plain:
        _show_plain(console, title, sections)
        return
    console.print(Text(title, style="bold"))
    columns = max(min(console.width // PANEL_WIDTH, MOST_COLUMNS), 1)
    grid = Table.grid()
    grid.add_row(*(Group(*map(_panel, each)) for each in _balanced(sections, columns)))
    console.print(grid)


def _balanced(sections: Sequence[StatsSection], columns: int) -> list[list[StatsSection]]:
    """Each section stands in the column that is the shortest so far."""
    found: list[list[StatsSection]] = [[] for _ in range(columns)]
    for section in sections:
        min(found, key=lambda column: sum(len(each.lines) + 2 for each in column)).append(section)
    return found


def _show_plain(console: Console, title: str, sections: Sequence[StatsSection]) -> None:
    lines = [title]
    for section in sections:
        lines += ["", section.title]
        lines += [_plainly(line) for line in section.lines]
    # Past the console, which would make spaces of the tabs.
    print("\n".join(lines), file=console.file, flush=True)


def _plainly(line: StatsLine) -> str:
    drawn = line.drawn if line.drawn.isascii() else ""
    return "\t".join(each for each in (line.name.strip(" ·"), line.value, drawn) if each)


def _panel(section: StatsSection) -> Panel:
    table = Table.grid(padding=(0, 1))
    table.add_column(width=24, no_wrap=True, overflow="ellipsis")
    table.add_column(width=14, justify="right", no_wrap=True)
    table.add_column(width=BLOCKS_WIDTH, style="cyan", no_wrap=True, overflow="crop")
    for line in section.lines:
        table.add_row(Text(line.name), Text(line.value, style="bold"), Text(line.drawn))
    return Panel(table, title=section.title, title_align="left", width=PANEL_WIDTH)


def stats(days: int, *, plain: bool) -> CliCommand:
    """Of the user of the settings. Plain too where the output is no terminal."""

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        async with open_services(settings, Progress()) as (addresses, _services):
            await prepare_schema(addresses, settings)
            database = await Database.open(addresses.database_url, connections=2)
            try:
                now = datetime.now(UTC)
                sections = await read_sections(database, settings.keepsake_user, days, now)
            finally:
                await database.close()
        title = f"Keepsake, the last {days} days to {now:%Y-%m-%d %H:%M} UTC"
        print_stats(Console(), title, sections, plain=plain or not sys.stdout.isatty())
        return 0

    return command
