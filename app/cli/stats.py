"""`python -m app stats`: what the metrics say, in the terminal."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.process.running import Command, run_command

cli = typer.Typer()


@cli.command()
def stats(
    user: Annotated[
        str | None,
        typer.Option(
            help="Whose memory is shown. Without it KEEPSAKE_USER, or else your login.",
            metavar="NAME",
        ),
    ] = None,
    days: Annotated[int, typer.Option(help="How many days back.", min=1, max=400)] = 14,
    plain: Annotated[
        bool, typer.Option("--plain", help="One number a line; so it is too when piped.")
    ] = False,
) -> None:
    """Show what was counted: turns, hit rate, recalls, memories, models and their cost, jobs."""

    def load() -> Command:
        from app.stats.command import stats as command  # noqa: PLC0415

        return command(days, plain=plain)

    overrides: dict[str, Any] = {} if user is None else {"keepsake_user": user}
    raise typer.Exit(run_command(load, **overrides))
