"""The commands. What they need is imported when one of them runs: it takes two seconds that
`--help` and a mistyped setting have no use for."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli import admin, jobs, keys, operations, stats
from app.process.running import Command, run_command
from app.process.streams import prepare_streams
from app.work.heartbeat import check_heartbeat

cli = typer.Typer(
    help="An assistant that remembers what you let it, shows you why, and forgets when told. "
    "Settings come from the environment and from .env; see .env.example.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
cli.add_typer(keys.cli, name="keys")
cli.add_typer(admin.cli, name="admin")
cli.add_typer(jobs.cli, name="jobs")
cli.add_typer(operations.cli)
cli.add_typer(stats.cli)

User = Annotated[
    str | None,
    typer.Option(
        help="Whose memory. Without it KEEPSAKE_USER, or else your login.", metavar="NAME"
    ),
]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"Keepsake {version('keepsake')}")
        raise typer.Exit


@cli.callback()
def keepsake(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and leave.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    prepare_streams()


@cli.command()
def chat(user: User = None) -> None:
    """Chat in the terminal. Piped input is taken as one turn a line."""

    def load() -> Command:
        from app.terminal.chat import chat as command  # noqa: PLC0415

        return command

    raise typer.Exit(run_command(load, **_of(user)))


@cli.command()
def migrate() -> None:
    """Bring the database to this program's schema.

    As the login of MIGRATION_DATABASE_URL where it is set, else of DATABASE_URL; without either
    it is the embedded database.
    """

    def load() -> Command:
        from app.migrate import migrate_database  # noqa: PLC0415

        return migrate_database

    raise typer.Exit(run_command(load))


@cli.command()
def seed(
    file: Annotated[
        Path,
        typer.Argument(
            help="JSON: a list of memories, {“memories”: [...]}, or one object a line.",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ],
    user: User = None,
) -> None:
    """Load memories from a file: all of them, or none.

    A memory has content, and may have type, bank, tags, importance (0 to 1), created_at,
    occurred_at and expires_at. A time without an offset is UTC.
    """

    def load() -> Command:
        from app.seeding.seed import seed_from  # noqa: PLC0415

        return seed_from(file)

    raise typer.Exit(run_command(load, **_of(user)))


@cli.command()
def serve(
    user: User = None,
    host: Annotated[
        str | None,
        typer.Option(help="The address to listen at, in place of SERVE_HOST.", metavar="ADDRESS"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="The port, in place of SERVE_PORT; 0 takes a free one.", min=0, max=65535
        ),
    ] = None,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Leave the work behind to `python -m app worker`.")
    ] = False,
    log_to_stdout: Annotated[
        bool, typer.Option("--log-to-stdout", help="Log to stdout, not to the data folder.")
    ] = False,
) -> None:
    """Serve the web page, REST and MCP on one port, until Ctrl-C or SIGTERM.

    Answers that are being written then are given DRAIN_SECONDS to end; a second Ctrl-C cuts that
    short.
    """

    def load() -> Command:
        from app.serve import serve as command  # noqa: PLC0415

        return command(worker=not no_worker)

    given = {"serve_host": host, "serve_port": port}
    overrides = {name: value for name, value in given.items() if value is not None}
    raise typer.Exit(run_command(load, to_stdout=log_to_stdout, **overrides, **_of(user)))


@cli.command()
def mcp(user: User = None) -> None:
    """Serve the memory to another program as MCP, on standard input and output."""

    def load() -> Command:
        from app.mcp.stdio import serve_stdio  # noqa: PLC0415

        return serve_stdio

    raise typer.Exit(run_command(load, **_of(user)))


@cli.command()
def worker(
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether a worker of this home is alive.")
    ] = False,
) -> None:
    """Do what can wait, for all users: vectors, erasures, learning, and the upkeep at night."""

    def load() -> Command:
        if check:
            return check_heartbeat
        from app.worker import work_politely  # noqa: PLC0415

        return work_politely

    raise typer.Exit(run_command(load, to_stdout=not check))


def _of(user: str | None) -> dict[str, Any]:
    return {} if user is None else {"keepsake_user": user}
