"""`python -m eval sweep`, `ablation` and `report`.

What draws is imported when a command runs: it takes most of a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eval.report.terminal import open_bar, open_console
from eval.tuning.sources import read_sources
from memory.settings import load_settings

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
    from eval.tuning.sweep import keep_sweep, sweep as run  # noqa: PLC0415, I001

    settings, sources = load_settings(), read_sources(path or [])
    folder = out or settings.keepsake_home / "eval" / "sweep"

    async def whole() -> None:
        trials = await run(settings, sources, folder, open_console(), open_bar())
        await _kept(keep_sweep(trials, folder, settings))

    asyncio.run(whole())
    return 0


def ablation(path: Paths = None) -> int:
    """Switches each part of the recall off and says what it is worth."""
    from eval.tuning.ablation import ablation as run, keep_ablation  # noqa: PLC0415, I001

    settings, sources = load_settings(), read_sources(path or [])

    async def whole() -> None:
        trials = await run(settings, sources, open_console(), open_bar())
        await _kept(keep_ablation(trials, settings))

    asyncio.run(whole())
    return 0


def report(path: Paths = None, out: Out = None) -> int:
    """Writes one page with the figures and plots of this commit."""
    from eval.page.one_page import write_report  # noqa: PLC0415

    settings, sources = load_settings(), read_sources(path or [])
    folder = out or settings.keepsake_home / "eval" / "report"
    asyncio.run(write_report(settings, sources, folder, open_console(), open_bar()))
    return 0


async def _kept(keeping: Coroutine[None, None, str]) -> None:
    """Whatever the notebook does, the result stands."""
    try:
        await keeping
    except Exception as error:
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        Console(stderr=True).print(f"warning: the run is not in MLflow ({told})", markup=False)
