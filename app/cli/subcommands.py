"""The commands of `python -m app admin`, `jobs` and `keys`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal
from uuid import UUID

import typer

from app.runner import CliCommand, run_command
from memory.config.retention_rules import MAX_DAYS

admin_cli = typer.Typer(
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
    int | None, typer.Option(help="Days, in place of the setting.", min=1, max=MAX_DAYS)
]


@admin_cli.command()
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

    def load() -> CliCommand:
        from app.ops.admin import clean_up, undo_cleanup  # noqa: PLC0415

        return undo_cleanup if undo else clean_up(min_length, questions=questions, apply=apply)

    raise typer.Exit(_run(load, user))


@admin_cli.command()
def retention(user: User = None, all_users: AllUsers = False, apply: Apply = False) -> None:
    """Take away what has been kept for as long as RETENTION_DAYS and RETENTION_RULES say."""

    def load() -> CliCommand:
        from app.ops.admin import apply_retention  # noqa: PLC0415

        return apply_retention(all_users=all_users, apply=apply)

    raise typer.Exit(_run(load, user))


@admin_cli.command("roll-up")
def roll_up(user: User = None, all_users: AllUsers = False, apply: Apply = False) -> None:
    """Put old memories that belong together into one, and archive the single ones."""

    def load() -> CliCommand:
        from app.ops.admin import roll_up as command  # noqa: PLC0415

        return command(all_users=all_users, apply=apply)

    raise typer.Exit(_run(load, user))


@admin_cli.command("prune-vectors")
def prune_vectors(user: User = None, all_users: AllUsers = False, age_days: AgeDays = None) -> None:
    """Drop the vectors of what has been out of recall for VECTOR_AGE_DAYS; the words stay."""

    def load() -> CliCommand:
        from app.ops.admin import prune_vectors as command  # noqa: PLC0415

        return command(age_days, all_users=all_users)

    raise typer.Exit(_run(load, user))


@admin_cli.command("rebuild-keywords")
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

    def load() -> CliCommand:
        from app.ops.admin import rebuild_keywords as command  # noqa: PLC0415

        return command(min_level, max_age_days, all_users=all_users)

    raise typer.Exit(_run(load, user))


def _run(load: Callable[[], CliCommand], user: str | None) -> int:
    named: dict[str, Any] = {} if user is None else {"keepsake_user": user}
    return run_command(load, **named)


jobs_cli = typer.Typer(
    help="What is done behind: the queue's jobs, and those that were given up.",
    no_args_is_help=True,
)

# The ids of the queue are of PostgreSQL's type bigint.
_OF_IDS = typer.Argument(
    help="Ids of jobs that were given up.", metavar="ID...", min=1, max=2**63 - 1
)
Ids = Annotated[list[int], _OF_IDS]
SomeIds = Annotated[list[int] | None, _OF_IDS]


@jobs_cli.command("list")
def show_jobs(
    dead: Annotated[bool, typer.Option("--dead", help="Only those that were given up.")] = False,
) -> None:
    """List the jobs that wait, are being done, or were given up after their last attempt."""

    def load() -> CliCommand:
        from app.ops.jobs import list_jobs  # noqa: PLC0415

        return list_jobs(dead=dead)

    raise typer.Exit(run_command(load))


@jobs_cli.command()
def requeue(
    ids: SomeIds = None,
    all_: Annotated[bool, typer.Option("--all", help="All that were given up.")] = False,
) -> None:
    """Have jobs that were given up begin anew."""
    if bool(ids) == all_:
        raise typer.BadParameter("Name the ids, or --all.")

    def load() -> CliCommand:
        from app.ops.jobs import requeue_jobs  # noqa: PLC0415

        return requeue_jobs(ids or None)

    raise typer.Exit(run_command(load))


@jobs_cli.command()
def drop(ids: Ids) -> None:
    """Take away jobs that were given up. What they were for is found again, if it still waits."""

    def load() -> CliCommand:
        from app.ops.jobs import drop_jobs  # noqa: PLC0415

        return drop_jobs(ids)

    raise typer.Exit(run_command(load))


keys_cli = typer.Typer(
    help="API keys, by which other programs and browsers ask as a user (AUTH_MODE=token).",
    no_args_is_help=True,
)

KeyOwner = Annotated[
    str | None,
    typer.Option(help="Whose keys. Without it KEEPSAKE_USER, or else your login.", metavar="NAME"),
]


@keys_cli.command()
def add(
    user: KeyOwner = None,
    name: Annotated[str, typer.Option(help="What you know it by: where it is used.")] = "key",
    expires: Annotated[
        str, typer.Option(help="How long it is good: 12h, 90d, 4w, or never.")
    ] = "90d",
) -> None:
    """Make a key, and print it this once."""

    def load() -> CliCommand:
        from app.ops.api_keys import add_key  # noqa: PLC0415

        return add_key(name, expires)

    raise typer.Exit(_run(load, user))


@keys_cli.command("list")
def show_keys(user: KeyOwner = None) -> None:
    """List the keys of one user, without the keys themselves."""

    def load() -> CliCommand:
        from app.ops.api_keys import list_keys  # noqa: PLC0415

        return list_keys

    raise typer.Exit(_run(load, user))


@keys_cli.command()
def revoke(key_id: Annotated[UUID, typer.Argument(metavar="ID")], user: KeyOwner = None) -> None:
    """Revoke a key: it, and every browser that signed in with it, is refused from now on."""

    def load() -> CliCommand:
        from app.ops.api_keys import revoke_key  # noqa: PLC0415

        return revoke_key(key_id)

    raise typer.Exit(_run(load, user))
