"""PostgreSQL: its version, extension, schema, roles, row-level security, model and backlog."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from app.addresses import Addresses
from app.backup.left_over import abandoned_drills
from app.doctor.finding import Finding, broken, ok, warning
from app.schema import kept_model
from memory.database import APPLICATION_ROLE, WORKER_ROLE
from memory.embedders.wanted import refuse_keyless, wanted_model
from memory.errors import KeepsakeError
from memory.settings import Settings
from migrations.diagnosis import Backlog, Role, Server, read_backlog, read_server
from migrations.runner import pending

LEAST_VERSION = 150_000
LEAST_VECTOR = (0, 8, 4)
CLOCKS_APART = timedelta(seconds=5)
OLD_BACKLOG = timedelta(hours=1)
MIGRATE = "python -m app migrate"


async def look_at_database(settings: Settings, addresses: Addresses) -> AsyncIterator[Finding]:
    """Raises KeepsakeError where it cannot be looked at at all."""
    server, roles, unprotected = await read_server(addresses.database_url)
    missing = await pending(addresses.owner_url)
    if missing and addresses.embedded_database:
        yield ok("PostgreSQL", f"{server.version_name}, embedded")
        applied = "1 migration is" if len(missing) == 1 else f"{len(missing)} migrations are"
        yield ok("schema", f"{applied} applied at the next start")
        yield await _look_at_model(settings, addresses)
        return
    for finding in look_at_server(server, datetime.now(UTC)):
        yield finding
    if missing:
        yield broken("schema", f"missing: {', '.join(missing)}", MIGRATE)
        return
    yield ok("schema", "up to date")
    for finding in look_at_roles(roles, unprotected):
        yield finding
    yield await _look_at_model(settings, addresses)
    for finding in look_at_drills(await abandoned_drills(addresses.owner_url)):
        yield finding
    for finding in look_at_backlog(await read_backlog(addresses.owner_url), datetime.now(UTC)):
        yield finding


def look_at_server(server: Server, now: datetime) -> Iterator[Finding]:
    found = f"{server.version_name}, {server.size}, as {server.login}"
    if server.version < LEAST_VERSION:
        yield broken("PostgreSQL", found, "upgrade it to 15 or newer")
    else:
        yield ok("PostgreSQL", found)
    if server.vector_version is None:
        yield broken(
            "pgvector",
            "not in this database",
            f"install it on the server; as superuser: CREATE EXTENSION vector; then {MIGRATE}",
        )
    elif _numbers(server.vector_version) < LEAST_VECTOR:
        yield warning(
            "pgvector",
            server.vector_version,
            "install 0.8.4 or newer on the server; then: ALTER EXTENSION vector UPDATE",
        )
    else:
        yield ok("pgvector", server.vector_version)
    apart = abs(server.clock - now)
    if apart > CLOCKS_APART:
        found = f"{apart.total_seconds():.0f} seconds apart from the database's"
        yield warning("clock", found, "let both machines follow a time server")
    else:
        yield ok("clock", "the same as the database's")


def look_at_roles(roles: Sequence[Role], unprotected: Sequence[str]) -> Iterator[Finding]:
    known = {role.name: role for role in roles}
    app, worker = known.get(APPLICATION_ROLE), known.get(WORKER_ROLE)
    if app is None or not app.may_act:
        yield broken(
            "roles", f"this login may not act as {APPLICATION_ROLE}", f"as the owner: {MIGRATE}"
        )
    elif app.bypasses:
        mend = f"as superuser: ALTER ROLE {APPLICATION_ROLE} NOSUPERUSER NOBYPASSRLS"
        yield broken("roles", f"{APPLICATION_ROLE} reads past row-level security", mend)
    elif worker is None or not worker.may_act:
        mend = "run a worker with a login of that role, see docker/postgres/logins.sql"
        yield ok("roles", f"this login does not act as {WORKER_ROLE}: {mend}")
    else:
        yield ok("roles", f"acts as {APPLICATION_ROLE} and {WORKER_ROLE}")
    if unprotected:
        names = ", ".join(unprotected)
        mend = "ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY, or restore a backup"
        yield broken("row security", f"not on {names}", mend)
    else:
        yield ok("row security", "forced on every table of users")


async def _look_at_model(settings: Settings, addresses: Addresses) -> Finding:
    stored = await kept_model(addresses)
    wanted = wanted_model(settings, stored)
    made = stored or wanted
    found = f"made for {made.name}, {made.dimensions} dimensions"
    if stored is None:
        found = f"none yet; the first will be of {made.name}, {made.dimensions} dimensions"
    if stored is not None and stored != wanted:
        mend = f"python -m app reembed, or set EMBEDDING_MODEL={stored.name} again"
        return broken("vectors", f"{found}; the settings name {wanted.name}", mend)
    try:
        refuse_keyless(wanted, settings)
    except KeepsakeError as error:
        return broken("vectors", found, str(error))
    return ok("vectors", found)


def look_at_drills(names: Sequence[str]) -> Iterator[Finding]:
    if names:
        found = f"killed restore drills left {', '.join(names)}, each with everybody's data"
        yield warning("left over", found, "python -m app backup drops them")


def look_at_backlog(backlog: Backlog | None, now: datetime) -> Iterator[Finding]:
    if backlog is None:
        yield ok("backlog", "not to be seen by this login")
        return
    found = f"{backlog.waiting:,} rows wait for their vector"
    if backlog.oldest is not None and now - backlog.oldest > OLD_BACKLOG:
        since = f", the oldest since {backlog.oldest:%Y-%m-%d %H:%M} UTC"
        yield warning("backlog", found + since, "run a worker, and look whether the model answers")
    else:
        yield ok("backlog", found)
    if backlog.other:
        found = f"{backlog.other:,} vectors are of another model"
        yield warning("old vectors", found, "run python -m app reembed once more")
    if backlog.dead_jobs:
        found = f"{backlog.dead_jobs:,} were given up"
        yield warning("jobs", found, "python -m app jobs list --dead, then jobs requeue")
    else:
        yield ok("jobs", "none was given up")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
