"""The page as data: sections of lines, each a number in words and how it went. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.stats.drawing import bar, count, dollars, seconds, share, sparkline
from app.stats.figures import Figures
from memory.series import PATIENT, QUICK, SLOW
from memory.store.figures.own_figures import OwnFigures

MOST_ACTIONS = 6
NOUNS = {"items": "memories"}


@dataclass(frozen=True)
class Line:
    """`drawn` is a sparkline over the days, or a bar."""

    name: str
    value: str
    drawn: str = ""


@dataclass(frozen=True)
class Section:
    title: str
    lines: tuple[Line, ...]


def counted_sections(figures: Figures) -> list[Section]:
    """What all programs counted; a section in which nothing was is left out."""
    made = [
        Section("Turns", tuple(_turns(figures))),
        Section("Recall", tuple(_recall(figures))),
        Section("Kept", tuple(_kept(figures))),
        Section("What users did", _by_label(figures, "user_actions", "action")),
        Section("Models", tuple(_models(figures))),
        Section("Work behind", tuple(_work(figures))),
    ]
    return [each for each in made if each.lines]


def own_section(user_id: str, own: OwnFigures) -> Section:
    """The user's memory: what is in recall by bank, then all that is there by state."""
    most = max(own.banks.values(), default=0)
    banks = [Line(bank, count(held), bar(held, most)) for bank, held in own.banks.items()]
    states = [Line(f"· {state}", count(held)) for state, held in own.states.items()]
    done = [
        Line(f"did: {action}", count(times))
        for action, times in [*own.actions.items()][:MOST_ACTIONS]
    ]
    lines = (*banks, *states, *done) or (Line("nothing is remembered yet", ""),)
    return Section(f"Memory of {user_id}", lines)


def queue_section(backlog: Mapping[str, tuple[int, float]], jobs: Mapping[str, int]) -> Section:
    """What waits at this moment: rows without a vector with the age of the oldest in seconds, and
    jobs by state."""
    waiting = [
        Line(
            f"{NOUNS.get(noun, noun)} without vector",
            count(rows),
            f"oldest {seconds(age)}" if rows else "",
        )
        for noun, (rows, age) in backlog.items()
    ]
    names = {"queued": "jobs queued", "picked": "jobs being done", "failed": "jobs given up"}
    queued = [Line(names.get(state, state), count(held)) for state, held in jobs.items()]
    return Section("Waiting now, of all users", (*waiting, *queued))


def banks_section(held: Mapping[str, int]) -> Section:
    most = max(held.values(), default=0)
    lines = [Line(bank, count(number), bar(number, most)) for bank, number in held.items()]
    return Section("Memories by bank, of all users", tuple(lines))


def _turns(figures: Figures) -> Iterator[Line]:
    turns = figures.total("turns")
    if not turns:
        return
    recalled, cited = figures.total("turns_recalled"), figures.total("turns_cited")
    yield Line("turns", count(turns), sparkline(figures.by_day("turns")))
    yield Line("that recalled", share(recalled, turns), sparkline(figures.by_day("turns_recalled")))
    yield Line("hit rate", share(cited, recalled), sparkline(figures.by_day("turns_cited")))
    private = turns - figures.total("turns", privacy="normal")
    yield Line("incognito", count(private))


def _recall(figures: Figures) -> Iterator[Line]:
    for kind in ("memories", "messages"):
        if not (total := figures.total("recalls", kind=kind)):
            continue
        yield Line(f"of {kind}", count(total), sparkline(figures.by_day("recalls", kind=kind)))
        yield Line("  p50, p95", _quantiles(figures, "recall_seconds", QUICK, kind=kind))
        outcomes = figures.by_label("recalls", "outcome", kind=kind)
        for outcome, number in outcomes.items():
            yield Line(f"  {outcome}", share(number, total), bar(number, total))
    if figures.quantile("embed_seconds", 0.5, QUICK) is not None:
        query = _quantiles(figures, "embed_seconds", QUICK, operation="query")
        yield Line("embedding p50, p95", query)
    if failed := figures.total("embed_failures"):
        yield Line("embeddings failed", count(failed), sparkline(figures.by_day("embed_failures")))


def _kept(figures: Figures) -> Iterator[Line]:
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
            yield Line(told, count(total), sparkline(figures.by_day(name)))


def _models(figures: Figures) -> Iterator[Line]:
    costs = figures.by_label("model_cost_dollars", "operation")
    for operation, calls in figures.by_label("model_calls", "operation").items():
        drawn = sparkline(figures.by_day("model_calls", operation=operation))
        yield Line(f"{operation}: calls", count(calls), drawn)
        yield Line("  p50, p95", _quantiles(figures, "model_seconds", SLOW, operation=operation))
        if failed := figures.total("model_calls", operation=operation, outcome="failed"):
            yield Line("  failed", share(failed, calls))
    for operation, cost in costs.items():
        tokens = figures.total("model_tokens", operation=operation)
        yield Line(f"{operation}: tokens", count(tokens), f"about {dollars(cost)}")
    if skipped := figures.total("llm_calls_skipped"):
        yield Line("extractions spared", count(skipped))


def _work(figures: Figures) -> Iterator[Line]:
    if figures.quantile("embedding_wait_seconds", 0.5, PATIENT) is not None:
        yield Line("time to embed p50, p95", _quantiles(figures, "embedding_wait_seconds", PATIENT))
    for outcome, number in figures.by_label("jobs_done", "outcome").items():
        drawn = sparkline(figures.by_day("jobs_done", outcome=outcome))
        yield Line(f"jobs {outcome.replace('_', ' ')}", count(number), drawn)
    for part, number in figures.by_label("error_guard_activations", "dependency").items():
        drawn = sparkline(figures.by_day("error_guard_activations", dependency=part))
        yield Line(f"{part} left alone", count(number), drawn)


def _by_label(figures: Figures, name: str, label: str) -> tuple[Line, ...]:
    return tuple(
        Line(value, count(number), sparkline(figures.by_day(name, **{label: value})))
        for value, number in figures.by_label(name, label).items()
    )


def _quantiles(figures: Figures, name: str, bounds: tuple[float, ...], **labels: str) -> str:
    found = [figures.quantile(name, each, bounds, **labels) for each in (0.5, 0.95)]
    return ", ".join(seconds(each) for each in found)
