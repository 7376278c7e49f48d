"""The commands of `python -m eval`.

What draws is imported when a command runs: it takes most of a second.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console

from eval.calibration.fit import calibrate_memories as fit_calibration
from eval.calibration.fit import calibrate_messages
from eval.datasets.commands import CommandsDataset
from eval.datasets.life_scores import print_life_metrics
from eval.errors import ReportNotWritten, WrongUsage
from eval.registry import BENCHES, DATASETS, Dataset, load_bench, load_dataset
from eval.report import (
    Report,
    open_console,
    open_progress,
    print_entry_failures,
    print_failures,
    print_held_back,
    print_metrics,
    print_verdict,
)
from eval.system import open_system
from eval.tracking import log_run
from eval.tuning.sources import read_sources
from memory.config import Settings, load_settings
from memory.errors import KeepsakeError

Paths = Annotated[
    list[Path] | None,
    typer.Option(
        "--path",
        help="A folder with LoCoMo, BEAM, or a golden set in place of the own one; as often as "
        "there are folders.",
    ),
]
Out = Annotated[
    Path | None, typer.Option(help="The folder to write into; one in the data folder without it.")
]


def sweep(path: Paths = None, out: Out = None) -> int:
    """Tries weights, limits and cut-offs on what is not held back, and says which are better
    than the default beyond chance."""
    from eval.tuning.sweep import log_sweep, run_sweep as run  # noqa: PLC0415, I001

    settings, sources = load_settings(), read_sources(path or [])
    folder = out or settings.keepsake_home / "eval" / "sweep"

    async def whole() -> None:
        trials = await run(settings, sources, folder, open_console(), open_progress())
        await _log_or_warn(log_sweep(trials, folder, settings))

    asyncio.run(whole())
    return 0


def ablation(path: Paths = None) -> int:
    """Switches each part of the recall off and says what it is worth."""
    from eval.tuning.ablation import run_ablation as run, log_ablation  # noqa: PLC0415, I001

    settings, sources = load_settings(), read_sources(path or [])

    async def whole() -> None:
        trials = await run(settings, sources, open_console(), open_progress())
        await _log_or_warn(log_ablation(trials, settings))

    asyncio.run(whole())
    return 0


def report(path: Paths = None, out: Out = None) -> int:
    """Writes one page with the figures and plots of this commit."""
    from eval.page import write_page  # noqa: PLC0415

    settings, sources = load_settings(), read_sources(path or [])
    folder = out or settings.keepsake_home / "eval" / "report"
    asyncio.run(write_page(settings, sources, folder, open_console(), open_progress()))
    return 0


async def _log_or_warn(keeping: Coroutine[None, None, str]) -> None:
    """Whatever the notebook does, the result stands."""
    try:
        await keeping
    except Exception as error:
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        Console(stderr=True).print(f"warning: the run is not in MLflow ({told})", markup=False)


PASSED, FAILED, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def run(
    context: typer.Context,
    *,
    dataset: Annotated[
        str | None, typer.Option(help=f"The data set to run: {', '.join(DATASETS)}.")
    ] = None,
    bench: Annotated[
        str | None, typer.Option(help=f"The benchmark to run: {', '.join(BENCHES)}.")
    ] = None,
    items: Annotated[
        int | None,
        typer.Option(min=100, max=100_000, help="Memories of the benchmark's largest user."),
    ] = None,
    path: Annotated[
        Path | None, typer.Option(help="The folder of the data set; locomo and beam need one.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="A file for the figures as JSON.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many people of life.")] = None,
) -> int:
    """Measures recall, writing or commands on a data set, or their speed.

    PASS ends with 0, FAIL with 1.
    """
    if context.invoked_subcommand is not None:
        return PASSED
    _refuse_wrong_usage(dataset, bench, path, limit)
    if json is not None and not json.parent.is_dir():
        raise ReportNotWritten(path=json, reason="its folder does not exist")
    chosen = load_dataset(dataset, path, limit) if dataset else load_bench(bench or "", items)
    report = asyncio.run(_measure(chosen, load_settings()))
    if json is not None:
        report.write(json)
    return PASSED if report.passed else FAILED


def _refuse_wrong_usage(
    dataset: str | None, bench: str | None, path: Path | None, limit: int | None
) -> None:
    """Raises WrongUsage."""
    if (dataset is None) == (bench is None):
        raise WrongUsage(reason="Name either --dataset or --bench.")
    if bench is not None and path is not None:
        raise WrongUsage(reason="--path belongs to --dataset.")
    if bench is not None and limit is not None:
        raise WrongUsage(reason="--limit belongs to --dataset life.")


@app.command()
def calibrate() -> int:
    """Fits the relevance models of memories and of past messages for the embedding model in use,
    and keeps their coefficients."""
    asyncio.run(_calibrate(load_settings()))
    return PASSED


app.command()(sweep)
app.command()(ablation)
app.command()(report)


async def _calibrate(settings: Settings) -> None:
    await fit_calibration(settings, open_console(), open_progress())
    await calibrate_messages(settings, open_console(), open_progress())


async def _measure(chosen: Dataset | CommandsDataset, settings: Settings) -> Report:
    aside = Console(stderr=True)
    report = await _run(chosen, settings, aside)
    console = open_console()
    if report.dataset == "memory":
        print_failures(console, report.cases)
        print_held_back(console, report.held_back)
    if report.failures is not None:
        print_entry_failures(console, report.failures)
    if report.dataset == "life":
        print_life_metrics(console, report)
    else:
        print_metrics(console, report)
    print_verdict(console, report)
    try:
        await log_run(report, settings.tracking_uri, settings.keepsake_home)
    except Exception as error:  # whatever the notebook does, the result stands
        aside.print(f"warning: the run is not in MLflow ({_first_line(error)})", markup=False)
    return report


async def _run(chosen: Dataset | CommandsDataset, settings: Settings, aside: Console) -> Report:
    """The set of commands needs no services; all others run on a system of their own."""
    if isinstance(chosen, CommandsDataset):
        return chosen.measure()
    async with open_system(settings, aside.print) as system:
        with open_progress() as progress:
            return await chosen.run(system, progress)


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command with nothing below an error in the log: the figures tell the rest."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    return dispatch(arguments)


def dispatch(arguments: Sequence[str] | None) -> int:
    """The exit code of one command; every expected fault is one line on stderr."""
    try:
        return int(app(arguments, prog_name="python -m eval", standalone_mode=False) or PASSED)
    except typer.TyperException as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return COULD_NOT_RUN
    except KeepsakeError as error:
        sys.stderr.write(f"{error}\n")
        return COULD_NOT_RUN
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
