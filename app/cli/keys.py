"""The commands of `python -m app keys`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

import typer

from app.process.running import Command, run_command

cli = typer.Typer(
    help="API keys, by which other programs and browsers ask as a user (AUTH_MODE=token).",
    no_args_is_help=True,
)

User = Annotated[
    str | None,
    typer.Option(help="Whose keys. Without it KEEPSAKE_USER, or else your login.", metavar="NAME"),
]


@cli.command()
def add(
    user: User = None,
    name: Annotated[str, typer.Option(help="What you know it by: where it is used.")] = "key",
    expires: Annotated[
        str, typer.Option(help="How long it is good: 12h, 90d, 4w, or never.")
    ] = "90d",
) -> None:
    """Make a key, and print it this once."""

    def load() -> Command:
        from app.keys import add_key  # noqa: PLC0415

        return add_key(name, expires)

    raise typer.Exit(_run(load, user))


@cli.command("list")
def list_(user: User = None) -> None:
    """List the keys of one user, without the keys themselves."""

    def load() -> Command:
        from app.keys import list_keys  # noqa: PLC0415

        return list_keys

    raise typer.Exit(_run(load, user))


@cli.command()
def revoke(key_id: Annotated[UUID, typer.Argument(metavar="ID")], user: User = None) -> None:
    """Revoke a key: it, and every browser that signed in with it, is refused from now on."""

    def load() -> Command:
        from app.keys import revoke_key  # noqa: PLC0415

        return revoke_key(key_id)

    raise typer.Exit(_run(load, user))


def _run(load: Callable[[], Command], user: str | None) -> int:
    named: dict[str, Any] = {} if user is None else {"keepsake_user": user}
    return run_command(load, **named)
