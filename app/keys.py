"""`python -m app keys`: API keys are made, listed and revoked."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from shlex import quote
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from app.addresses import open_addresses
from app.identity.api_key import digest_of, make_key
from app.identity.durations import parse_duration
from app.process.progress import Progress
from app.process.running import Command
from app.process.signals import Leaving
from app.schema import prepare_schema
from memory.database import Database
from memory.errors import InvalidInput
from memory.settings import Settings
from memory.store.api_keys import MAX_NAME_CHARS, ApiKey, ApiKeys, KeyName

_NAME = TypeAdapter(KeyName)


def add_key(name: str, expires: str) -> Command:
    """The key alone goes to stdout, what is to be said of it to stderr. Raises InvalidInput for a
    name or a duration that is none, before anything is started."""
    lasting = parse_duration(expires)
    called = _name(name)

    async def add(settings: Settings, _leaving: Leaving) -> int:
        key = make_key()
        ends = None if lasting is None else datetime.now(UTC) + lasting
        async with _keys(settings) as keys:
            added = await keys.add(settings.keepsake_user, digest_of(key), called, ends)
        print(key.get_secret_value(), flush=True)  # noqa: T201
        _say(f"The key of {settings.keepsake_user} named {called}, {_end(added)}.")
        _say("It is shown this once. To take it back:")
        _say(f"    python -m app keys revoke {added.id} --user {quote(settings.keepsake_user)}")
        if settings.auth_mode != "token":
            _say(f"It opens nothing as long as AUTH_MODE is {settings.auth_mode}: set it to token.")
        return 0

    return add


async def list_keys(settings: Settings, _leaving: Leaving) -> int:
    """A line for each key of the user, on stdout alone. The program's login of the database sees
    the rows of one user at a time, so there is no list of everybody's."""
    async with _keys(settings) as keys:
        found = await keys.read_all(settings.keepsake_user)
    now = datetime.now(UTC)
    for key in found:
        print(key_line(key, now))  # noqa: T201
    whose = settings.keepsake_user
    _say(f"These are the keys of {whose}." if found else f"{whose} has no key.")
    _say("Those of somebody else: python -m app keys list --user NAME")
    return 0


def revoke_key(key_id: UUID) -> Command:
    async def revoke(settings: Settings, _leaving: Leaving) -> int:
        async with _keys(settings) as keys:
            revoked = await keys.revoke(settings.keepsake_user, key_id)
        print(f"Revoked {revoked.id} ({revoked.name}); who signed in with it is signed out.")  # noqa: T201
        return 0

    return revoke


def key_line(key: ApiKey, now: datetime) -> str:
    """Id, name, state, when it was made, and when it was last used."""
    used = "never used" if key.last_used_on is None else f"last used {key.last_used_on}"
    made = f"made {key.created_at:%Y-%m-%d}"
    return "  ".join([str(key.id), key.name, _state(key, now), made, used])


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    return _end(key) if key.is_living(now) else f"expired {key.expires_at:%Y-%m-%d}"


def _end(key: ApiKey) -> str:
    if key.expires_at is None:
        return "good until it is revoked"
    return f"good until {key.expires_at:%Y-%m-%d %H:%M} UTC"


def _name(text: str) -> str:
    try:
        return _NAME.validate_python(text)
    except ValidationError:
        raise InvalidInput(
            reason=f"The name of a key has 1 to {MAX_NAME_CHARS} printable characters."
        ) from None


@asynccontextmanager
async def _keys(settings: Settings) -> AsyncIterator[ApiKeys]:
    """On the database alone, which is made ready where it is the embedded one."""
    progress = Progress()
    async with open_addresses(settings, progress) as (addresses, _services):
        await prepare_schema(addresses, settings)
        database = await Database.open(addresses.database_url, connections=1)
        try:
            yield ApiKeys(database)
        finally:
            await database.close()


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201
