"""The commands that keep an installation in order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.process.running import Command, run_command

cli = typer.Typer()


@cli.command()
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

    def load() -> Command:
        from app.reembed import reembed as command  # noqa: PLC0415

        return command(model, dimensions)

    raise typer.Exit(run_command(load))


@cli.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
) -> None:
    """Look at every part of the installation, and say how to mend what is not well.

    Ends with 1 where something is broken.
    """

    def load() -> Command:
        from app.doctor.examine import doctor as command  # noqa: PLC0415

        return command(as_json=as_json)

    raise typer.Exit(run_command(load))


@cli.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to. It must not be there yet.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Restore it beside the database, and compare.")
    ] = False,
) -> None:
    """Write everything into one file, as of one moment, while everything goes on.

    The file is a secret. It is there whole or not at all.
    """

    def load() -> Command:
        from app.backup.writing import backup as command  # noqa: PLC0415

        return command(file.absolute(), verify=verify)

    raise typer.Exit(run_command(load))


@cli.command()
def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True)],
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where data is there already: it is lost.")
    ] = False,
) -> None:
    """Restore a backup into a new installation, and bring it to this program's schema.

    It is restored whole or not at all. What was forgotten after the backup was made is there again.
    """

    def load() -> Command:
        from app.backup.restoring import restore as command  # noqa: PLC0415

        return command(file.absolute(), replace=replace)

    raise typer.Exit(run_command(load))
