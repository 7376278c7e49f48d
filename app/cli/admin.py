"""The commands of `python -m app admin`: the upkeep that runs by itself at night, by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from app.process.running import Command, run_command
from memory.settings.retention_rules import MOST_DAYS

cli = typer.Typer(
    help="Upkeep by hand: what the worker does at night, and cleaning up. What takes memories away "
    "only shows what it would take unless --apply is given.",
    no_args_is_help=True,
)

User = Annotated[
    str | None,
    typer.Option(
        help="Whose memory. Without it KEEPSAKE_USER, or else your login.", metavar="NAME"
    ),
]
AllUsers = Annotated[bool, typer.Option("--all-users", help="Everybody's memory.")]
Apply = Annotated[bool, typer.Option("--apply", help="Do it; without this it is only shown.")]
AgeDays = Annotated[
    int | None, typer.Option(help="Days, in place of the setting.", min=1, max=MOST_DAYS)
]


@cli.command()
def cleanup(
    user: User = None,
    min_length: Annotated[
        int | None,
        typer.Option(
            help="Memories of fewer characters go; in place of the setting.", min=0, max=1000
        ),
    ] = None,
    questions: Annotated[
        bool, typer.Option(help="Whether memories that only ask something go.")
    ] = True,
    apply: Apply = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Bring back what the last cleaning took.")
    ] = False,
) -> None:
    """Take away memories of low quality: too short, or only questions."""

    def load() -> Command:
        from app.admin.cleaning import clean_up, undo_cleanup  # noqa: PLC0415

        return undo_cleanup if undo else clean_up(min_length, questions=questions, apply=apply)

    raise typer.Exit(_run(load, user))


@cli.command()
def retention(user: User = None, all_users: AllUsers = False, apply: Apply = False) -> None:
    """Take away what has been kept for as long as RETENTION_DAYS and RETENTION_RULES say."""

    def load() -> Command:
        from app.admin.retaining import retain  # noqa: PLC0415

        return retain(all_users=all_users, apply=apply)

    raise typer.Exit(_run(load, user))


@cli.command("roll-up")
def roll_up(user: User = None, all_users: AllUsers = False, apply: Apply = False) -> None:
    """Put old memories that belong together into one, and archive the single ones."""

    def load() -> Command:
        from app.admin.rolling_up import roll_up as command  # noqa: PLC0415

        return command(all_users=all_users, apply=apply)

    raise typer.Exit(_run(load, user))


@cli.command("prune-vectors")
def prune_vectors(user: User = None, all_users: AllUsers = False, age_days: AgeDays = None) -> None:
    """Drop the vectors of what has been out of recall for VECTOR_AGE_DAYS; the words stay."""

    def load() -> Command:
        from app.admin.indexing import prune_vectors as command  # noqa: PLC0415

        return command(age_days, all_users=all_users)

    raise typer.Exit(_run(load, user))


@cli.command("rebuild-keywords")
def rebuild_keywords(
    user: User = None,
    all_users: AllUsers = False,
    min_level: Annotated[
        Literal["memory", "roll-up"] | None,
        typer.Option(help="The finest that stays searchable by its words once it is old."),
    ] = None,
    max_age_days: AgeDays = None,
) -> None:
    """Build the keyword index anew; `--min-level roll-up` leaves old single memories out."""

    def load() -> Command:
        from app.admin.indexing import rebuild_keywords as command  # noqa: PLC0415

        return command(min_level, max_age_days, all_users=all_users)

    raise typer.Exit(_run(load, user))


def _run(load: Callable[[], Command], user: str | None) -> int:
    named: dict[str, Any] = {} if user is None else {"keepsake_user": user}
    return run_command(load, **named)
