"""What is to be done behind, asked for in the transaction that needs it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memory.database import Connection
from memory.store.queries import load_queries

AT_ONCE = timedelta(0)
EVERYTHING = ""
# The kind of job that a tombstone asks for, see migrations/0013_queue.sql.
ERASE = "memory_erase"
_SQL = load_queries("jobs/requests")


async def request_job(
    connection: Connection, user_id: str, name: str, *, after: timedelta = AT_ONCE
) -> None:
    """Asks for a job of this user, to begin when `after` has passed at the earliest, and not
    before the caller's transaction is committed. Where one is queued that begins no later, or that
    is being tried again, that one is enough. The transaction has to be this user's.
    """
    await connection.execute(_SQL["request_job"], name, after, user_id)


async def put_jobs(
    connection: Connection,
    name: str,
    users: Sequence[str],
    *,
    after: timedelta = AT_ONCE,
    urgent: bool = False,
) -> None:
    """The same for each of `users`, and with EVERYTHING among them for no user; an urgent one goes
    before others. For a transaction that acts as the worker."""
    await connection.execute(_SQL["put_jobs"], name, after, urgent, list(users))
