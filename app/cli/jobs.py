"""The commands of `python -m app jobs`."""

from __future__ import annotations

from typing import Annotated

import typer

from app.process.running import Command, run_command

cli = typer.Typer(
    help="What is done behind: the queue's jobs, and those that were given up.",
    no_args_is_help=True,
)

# The ids of the queue are of PostgreSQL's type bigint.
_OF_IDS = typer.Argument(
    help="Ids of jobs that were given up.", metavar="ID...", min=1, max=2**63 - 1
)
Ids = Annotated[list[int], _OF_IDS]
SomeIds = Annotated[list[int] | None, _OF_IDS]


@cli.command("list")
def list_(
    dead: Annotated[bool, typer.Option("--dead", help="Only those that were given up.")] = False,
) -> None:
    """List the jobs that wait, are being done, or were given up after their last attempt."""

    def load() -> Command:
        from app.jobs import list_jobs  # noqa: PLC0415

        return list_jobs(dead=dead)

    raise typer.Exit(run_command(load))


@cli.command()
def requeue(
    ids: SomeIds = None,
    all_: Annotated[bool, typer.Option("--all", help="All that were given up.")] = False,
) -> None:
    """Have jobs that were given up begin anew."""
    if bool(ids) == all_:
        raise typer.BadParameter("Name the ids, or --all.")

    def load() -> Command:
        from app.jobs import requeue_jobs  # noqa: PLC0415

        return requeue_jobs(ids or None)

    raise typer.Exit(run_command(load))


@cli.command()
def drop(ids: Ids) -> None:
    """Take away jobs that were given up. What they were for is found again, if it still waits."""

    def load() -> Command:
        from app.jobs import drop_jobs  # noqa: PLC0415

        return drop_jobs(ids)

    raise typer.Exit(run_command(load))
