"""The commands of `python -m app`. What they need is imported when one of them runs: it takes two
seconds that `--help` and a mistyped setting have no use for."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.subcommands import admin_cli, jobs_cli, keys_cli
from app.console import prepare_streams
from app.runner import CliCommand, run_command
from app.worker.heartbeat import check_heartbeat

operations_cli = typer.Typer()


@operations_cli.command()
def reembed(
    model: Annotated[
        str | None,
        typer.Option(help="The embedding model, in place of EMBEDDING_MODEL.", metavar="NAME"),
    ] = None,
    dimensions: Annotated[
        int | None,
        typer.Option(help="The length of its vectors, in place of EMBEDDING_DIMENSIONS.", min=1),
    ] = None,
) -> None:
    """Make all vectors anew for another embedding model, while everything goes on.

    Running programs change over by themselves. Ctrl-C loses nothing: the next run goes on where
    this one ended. Naming the model that is in use drops what was made for another one.
    """

    def load() -> CliCommand:
        from app.ops.reembed import reembed as command  # noqa: PLC0415

        return command(model, dimensions)

    raise typer.Exit(run_command(load))


@operations_cli.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
) -> None:
    """Look at every part of the installation, and say how to mend what is not well.

    Ends with 1 where something is broken.
    """

    def load() -> CliCommand:
        from app.ops.doctor import doctor as command  # noqa: PLC0415

        return command(as_json=as_json)

    raise typer.Exit(run_command(load))


@operations_cli.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to. It must not be there yet.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Restore it beside the database, and compare.")
    ] = False,
) -> None:
    """Write everything into one file, as of one moment, while everything goes on.

    The file is a secret. It is there whole or not at all.
    """

    def load() -> CliCommand:
        from app.ops.backup import backup as command  # noqa: PLC0415

        return command(file.absolute(), verify=verify)

    raise typer.Exit(run_command(load))


@operations_cli.command()
def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True)],
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where data is there already: it is lost.")
    ] = False,
) -> None:
    """Restore a backup into a new installation, and bring it to this program's schema.

    It is restored whole or not at all. What was forgotten after the backup was made is there again.
    """

    def load() -> CliCommand:
        from app.ops.backup import restore as command  # noqa: PLC0415

        return command(file.absolute(), replace=replace)

    raise typer.Exit(run_command(load))


@operations_cli.command()
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

    def load() -> CliCommand:
        from app.ops.stats import stats as command  # noqa: PLC0415

        return command(days, plain=plain)

    overrides: dict[str, Any] = {} if user is None else {"keepsake_user": user}
    raise typer.Exit(run_command(load, **overrides))


cli = typer.Typer(
    help="An assistant that remembers what you let it, shows you why, and forgets when told. "
    "Settings come from the environment and from .env; see .env.example.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
cli.add_typer(keys_cli, name="keys")
cli.add_typer(admin_cli, name="admin")
cli.add_typer(jobs_cli, name="jobs")
cli.add_typer(operations_cli)

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

    def load() -> CliCommand:
        from app.terminal.chat import chat as command  # noqa: PLC0415

        return command

    raise typer.Exit(run_command(load, **_of(user)))


@cli.command()
def migrate() -> None:
    """Bring the database to this program's schema.

    As the login of MIGRATION_DATABASE_URL where it is set, else of DATABASE_URL; without either
    it is the embedded database.
    """

    def load() -> CliCommand:
        from app.services import migrate_database  # noqa: PLC0415

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

    def load() -> CliCommand:
        from app.ops.seed import seed_from  # noqa: PLC0415

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

    def load() -> CliCommand:
        from app.api.server import serve as command  # noqa: PLC0415

        return command(worker=not no_worker)

    given = {"serve_host": host, "serve_port": port}
    overrides = {name: value for name, value in given.items() if value is not None}
    raise typer.Exit(run_command(load, to_stdout=log_to_stdout, **overrides, **_of(user)))


@cli.command()
def mcp(user: User = None) -> None:
    """Serve the memory to another program as MCP, on standard input and output."""

    def load() -> CliCommand:
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

    def load() -> CliCommand:
        if check:
            return check_heartbeat
        from app.worker.worker import run_worker_nicely  # noqa: PLC0415

        return run_worker_nicely

    raise typer.Exit(run_command(load, to_stdout=not check))


def _of(user: str | None) -> dict[str, Any]:
    return {} if user is None else {"keepsake_user": user}
