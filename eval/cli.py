"""The commands of `python -m eval`.

It ends with 0 for PASS, 1 for FAIL, and 2 where it could not run: wrong usage, a
set that cannot be read, a service that does not start.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console

from eval.bench import BENCHES, load_bench
from eval.calibration.calibrate import calibrate as fit_calibration
from eval.calibration.message_calibration import calibrate_messages
from eval.datasets import DATASETS, AloneSet, Dataset, load_dataset
from eval.errors import ReportNotWritten, WrongUsage
from eval.life.report import print_shares
from eval.report.mlflow_run import keep_run
from eval.report.report import Report
from eval.report.tables import (
    print_exam,
    print_failures,
    print_figures,
    print_held_back,
    print_verdict,
)
from eval.report.terminal import open_bar, open_console
from eval.system import open_system
from eval.tuning import command_line
from memory.errors import KeepsakeError
from memory.settings import Settings, load_settings

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


app.command()(command_line.sweep)
app.command()(command_line.ablation)
app.command()(command_line.report)


async def _calibrate(settings: Settings) -> None:
    await fit_calibration(settings, open_console(), open_bar())
    await calibrate_messages(settings, open_console(), open_bar())


async def _measure(chosen: Dataset | AloneSet, settings: Settings) -> Report:
    aside = Console(stderr=True)
    report = await _run(chosen, settings, aside)
    console = open_console()
    if report.dataset == "memory":
        print_failures(console, report.cases)
        print_held_back(console, report.held_back)
    if report.failures is not None:
        print_exam(console, report.failures)
    if report.dataset == "life":
        print_shares(console, report)
    else:
        print_figures(console, report)
    print_verdict(console, report)
    try:
        await keep_run(report, settings.tracking_uri, settings.keepsake_home)
    except Exception as error:  # whatever the notebook does, the result stands
        aside.print(f"warning: the run is not in MLflow ({_first_line(error)})", markup=False)
    return report


async def _run(chosen: Dataset | AloneSet, settings: Settings, aside: Console) -> Report:
    """What needs services runs on a system of its own."""
    if isinstance(chosen, AloneSet):
        return chosen.measure()
    async with open_system(settings, aside.print) as system:
        with open_bar() as progress:
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
