from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest
import structlog
from pgvector.asyncpg import register_vector

from memory.errors import DatabaseUnavailable, RoleBypassesRowSecurity, SchemaOutdated
from memory.local_services.services import ServiceAddresses
from memory.store.database import Connection, Database, connection_error_reason, login_error_reason
from migrations.scratch import scratch_database

WHO = (
    "SELECT coalesce(current_setting('app.user_id', true), '') AS user_id, current_user AS role,"
    " current_setting('statement_timeout') AS statement_timeout"
)


class Stop(Exception):
    pass


@contextlib.asynccontextmanager
async def owner(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url, timeout=60)
    try:
        yield connection
    finally:
        await connection.close(timeout=60)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """One connection, so that whoever comes next gets the one that was used before, and as it was
    left: PgBouncer in transaction mode resets nothing either."""

    async def as_it_is(_: object) -> None:
        pass

    async with asyncpg.create_pool(
        database_url, min_size=0, max_size=1, init=register_vector, reset=as_it_is
    ) as opened:
        yield opened


async def add(connection: Connection, user_id: str) -> None:
    await connection.execute(
        "INSERT INTO conversations (user_id, id) VALUES ($1, $2)", user_id, uuid4()
    )


async def count(database: Database, user_id: str) -> int:
    async with database.as_user(user_id) as connection:
        return int(await connection.fetchval("SELECT count(*) FROM conversations"))


async def test_inside_one_is_the_application_for_one_user(database: Database, user_id: str) -> None:
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(WHO)
    assert row is not None
    assert tuple(row) == (user_id, "keepsake_app", "15s")


async def leave_well(database: Database, user_id: str) -> None:
    async with database.as_user(user_id) as connection:
        await connection.execute("SELECT 1")


async def leave_by_exception(database: Database, user_id: str) -> None:
    with pytest.raises(Stop):
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
            raise Stop


async def leave_by_wrong_statement(database: Database, user_id: str) -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
            await connection.execute("SELECT * FROM nowhere")


async def leave_by_cancellation(database: Database, user_id: str) -> None:
    began = asyncio.Event()

    async def wait() -> None:
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
            began.set()
            await connection.execute("SELECT pg_sleep(60)")

    task = asyncio.create_task(wait())
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def leave_by_timeout_of_the_caller(database: Database, user_id: str) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2), database.as_user(user_id) as connection:
            await add(connection, user_id)
            await connection.execute("SELECT pg_sleep(60)")


async def leave_by_timeout_within(database: Database, user_id: str) -> None:
    """Of a limit within the transaction: the server was not given its time."""
    with pytest.raises(TimeoutError):
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
            async with asyncio.timeout(0.2):
                await connection.execute("SELECT pg_sleep(60)")


async def leave_by_statement_timeout(database: Database, user_id: str) -> None:
    with pytest.raises(DatabaseUnavailable, match="did not answer in time"):
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
            await connection.execute("SET LOCAL statement_timeout = 20")
            await connection.execute("SELECT pg_sleep(60)")


@pytest.mark.parametrize(
    "leave",
    [
        leave_well,
        leave_by_exception,
        leave_by_wrong_statement,
        leave_by_cancellation,
        leave_by_timeout_of_the_caller,
        leave_by_timeout_within,
        leave_by_statement_timeout,
    ],
)
async def test_nothing_of_a_user_stays_on_the_connection(  # type: ignore[no-untyped-def]
    pool: asyncpg.Pool, user_id: str, leave
) -> None:
    login = await pool.fetchval("SELECT session_user")
    database = Database(pool)
    async with asyncio.timeout(60):
        await leave(database, user_id)
        row = await pool.fetchrow(WHO)
    assert row is not None
    assert tuple(row) == ("", login, "0")
    assert await count(database, user_id) == 0
    async with database.as_user(f"{user_id}-next") as connection:
        row = await connection.fetchrow(WHO)
    assert row is not None
    assert row["user_id"] == f"{user_id}-next"


@pytest.mark.parametrize("error", [FileNotFoundError("no model"), TimeoutError()])
async def test_what_fails_beside_the_database_is_no_loss_of_it(
    pool: asyncpg.Pool, user_id: str, error: OSError
) -> None:
    """The error comes through as it is, and the connection stays."""
    database, used = Database(pool), []
    with pytest.raises(type(error)):
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
            used.append(connection.get_server_pid())
            raise error
    async with database.as_user(user_id) as connection:
        used.append(connection.get_server_pid())
    assert used[0] == used[1]
    assert await count(database, user_id) == 0


async def test_what_was_done_is_kept_and_is_one_users(database: Database, user_id: str) -> None:
    async with database.as_user(user_id) as connection:
        await add(connection, user_id)
    assert await count(database, user_id) == 1
    assert await count(database, f"{user_id}-other") == 0


async def test_no_row_of_another_user_can_be_written(database: Database, user_id: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        async with database.as_user(user_id) as connection:
            await add(connection, f"{user_id}-other")


async def test_twenty_users_at_once_never_mix(database: Database, user_id: str) -> None:
    async def work(number: int) -> tuple[str, int]:
        name = f"{user_id}-{number}"
        for _ in range(3):
            async with database.as_user(name) as connection:
                await add(connection, name)
                seen = await connection.fetchval("SELECT current_setting('app.user_id')")
                assert seen == name
        return name, await count(database, name)

    counts = await asyncio.gather(*(work(number) for number in range(20)))
    assert {each for _, each in counts} == {3}


async def test_a_user_may_be_called_anything(database: Database, user_id: str) -> None:
    name = f"{user_id}'; RESET ROLE; -- \\ é 🙂"
    async with database.as_user(name) as connection:
        await add(connection, name)
    assert await count(database, name) == 1


async def test_terminated_backends_are_replaced_unseen(own_database_url: str) -> None:
    database = await Database.open(own_database_url, connections=4)
    try:
        await asyncio.gather(*(count(database, "ada") for _ in range(8)))
        async with owner(own_database_url) as connection:
            ended = await connection.fetchval(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() "
                "AND application_name = 'keepsake'"
            )
        assert ended >= 1
        assert await asyncio.gather(*(count(database, "ada") for _ in range(8))) == [0] * 8
    finally:
        await database.close()


async def test_a_connection_lost_in_the_middle_is_said_and_nothing_kept(
    database: Database, database_url: str, user_id: str
) -> None:
    async with owner(database_url) as other:
        with pytest.raises(DatabaseUnavailable, match="the connection was lost"):
            async with database.as_user(user_id) as connection:
                await add(connection, user_id)
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                await other.execute("SELECT pg_terminate_backend($1, 5000)", pid)
                await connection.execute("SELECT 1")
    assert await count(database, user_id) == 0


async def test_a_connection_lost_before_the_commit_is_said(
    database: Database, database_url: str, user_id: str
) -> None:
    async with owner(database_url) as other:
        with pytest.raises(DatabaseUnavailable):
            async with database.as_user(user_id) as connection:
                await add(connection, user_id)
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                await other.execute("SELECT pg_terminate_backend($1, 5000)", pid)
    assert await count(database, user_id) == 0


@pytest.mark.usefixtures("own_database_url")
async def test_a_closed_database_says_so(database: Database, user_id: str) -> None:
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await count(database, user_id)


@pytest.fixture
async def silent_server() -> AsyncIterator[int]:
    """Takes connections and never says a word."""

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            await reader.read()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_silent_server_is_not_waited_for(silent_server: int) -> None:
    async with asyncio.timeout(60):
        with pytest.raises(DatabaseUnavailable, match="did not answer in time"):
            await Database.open(f"postgresql://ada:secret@127.0.0.1:{silent_server}/x")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://ada:secret@127.0.0.1:1/x", "nothing listens at its address"),
        ("postgresql://ada:secret@/x?host=/nowhere/at/all", "nothing listens at its address"),
        ("postgresql://ada:secret@127.0.0.1:port/x", "its URL cannot be read"),
        ("postgresql://ada:secret@127.0.0.1/x?sslmode=secret", "its URL cannot be read"),
    ],
)
async def test_an_address_without_a_database_is_said_plainly(url: str, reason: str) -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        await Database.open(url)
    assert caught.value.fields["reason"] == reason
    assert "secret" not in str(caught.value)


async def test_a_database_that_does_not_exist(services: ServiceAddresses) -> None:
    url = services.database_url.replace("/keepsake?", "/nowhere?")
    with pytest.raises(DatabaseUnavailable, match='"nowhere" does not exist'):
        await Database.open(url)


async def test_a_database_without_the_schema_is_outdated(services: ServiceAddresses) -> None:
    async with scratch_database(services.database_url, prefix="empty") as url:
        with pytest.raises(SchemaOutdated, match="python -m app migrate"):
            await Database.open(url)


async def test_a_role_that_does_not_exist_is_outdated(database_url: str) -> None:
    with pytest.raises(SchemaOutdated, match="python -m app migrate"):
        await Database.open(database_url, role="keepsake_nobody")


@contextlib.asynccontextmanager
async def login(url: str, *statements: str) -> AsyncIterator[tuple[str, str]]:
    """A role of this test's own; its name, and the URL under which it logs in."""
    name = f"test_{uuid4().hex[:12]}"
    async with owner(url) as connection:
        await connection.execute(f"CREATE ROLE {name} LOGIN")
        try:
            for statement in statements:
                await connection.execute(statement.format(name=name))
            admin = await connection.fetchval("SELECT session_user")
            yield name, url.replace(f"{admin}@", f"{name}@")
        finally:
            await connection.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")


@pytest.mark.parametrize("attribute", ["SUPERUSER", "BYPASSRLS"])
async def test_a_role_that_sees_everything_is_refused(database_url: str, attribute: str) -> None:
    grants = ("ALTER ROLE {name} " + attribute, "GRANT {name} TO CURRENT_USER")
    async with login(database_url, *grants) as (name, _):
        with pytest.raises(RoleBypassesRowSecurity, match=name):
            await Database.open(database_url, role=name)


async def test_a_login_without_the_role_is_told(database_url: str) -> None:
    async with login(database_url) as (_, url):
        with pytest.raises(SchemaOutdated, match="keepsake_app"):
            await Database.open(url)


async def test_a_plain_member_of_the_role_can_work(database_url: str, user_id: str) -> None:
    async with login(database_url, "GRANT keepsake_app TO {name}") as (_, url):
        database = await Database.open(url)
        async with database.as_user(user_id) as connection:
            await add(connection, user_id)
        assert await count(database, user_id) == 1
        await database.close()


async def test_a_login_that_may_not_connect_is_told(own_database_url: str) -> None:
    closed = "REVOKE CONNECT ON DATABASE {database} FROM PUBLIC"
    async with owner(own_database_url) as connection:
        name = await connection.fetchval("SELECT current_database()")
        await connection.execute(closed.format(database=name))
    async with login(own_database_url) as (_, url):
        with pytest.raises(DatabaseUnavailable, match="permission denied for database"):
            await Database.open(url)


async def test_a_login_that_does_not_exist_is_told(database_url: str) -> None:
    async with owner(database_url) as connection:
        admin = await connection.fetchval("SELECT session_user")
    with pytest.raises(DatabaseUnavailable, match="nobody_at_all"):
        await Database.open(database_url.replace(f"{admin}@", "nobody_at_all@"))


async def test_a_refused_role_leaves_no_connection(own_database_url: str) -> None:
    with pytest.raises(SchemaOutdated):
        await Database.open(own_database_url, role="keepsake_nobody")
    async with owner(own_database_url) as connection, asyncio.timeout(60):
        while await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ):
            await asyncio.sleep(0.01)


async def test_the_pool_says_nothing_behind_our_back(
    own_database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """asyncpg logs tracebacks of its own; a person at the terminal would see them."""
    database = await Database.open(own_database_url)
    with caplog.at_level(logging.WARNING), pytest.raises(DatabaseUnavailable):
        async with owner(own_database_url) as other, database.as_user("ada") as connection:
            pid = await connection.fetchval("SELECT pg_backend_pid()")
            await other.execute("SELECT pg_terminate_backend($1, 5000)", pid)
            await connection.execute("SELECT 1")
    await database.close()
    assert caplog.records == []


REASONS: list[tuple[Exception, str]] = [
    (TimeoutError("10.0.0.1"), "it did not answer in time"),
    (asyncpg.QueryCanceledError("secret"), "it did not answer in time"),
    (ConnectionRefusedError("10.0.0.1"), "nothing listens at its address"),
    (FileNotFoundError("/run/x"), "nothing listens at its address"),
    (asyncpg.CannotConnectNowError("secret"), "it is starting up or shutting down"),
    (asyncpg.InterfaceError("secret"), "the connection was lost"),
    (OSError("10.0.0.1"), "the connection was lost"),
]


def test_a_reason_names_no_address_and_no_value() -> None:
    assert [
        (error, got)
        for error, reason in REASONS
        if (got := connection_error_reason(error)) != reason
    ] == []


def test_a_refusal_is_one_line_without_the_url() -> None:
    wrong = asyncpg.InvalidPasswordError('password authentication failed for user "ada"\nmore')
    assert login_error_reason(wrong) == 'password authentication failed for user "ada"'
    assert login_error_reason(asyncpg.ClientConfigurationError("postgresql://ada:secret@")) == (
        "its URL cannot be read"
    )


async def shown(database: Database, user_id: str) -> str:
    """What the server shows of the connection while it is in a transaction."""
    async with database.as_user(user_id) as connection:
        return str(
            await connection.fetchval(
                "SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()"
            )
        )


async def test_the_server_shows_the_correlation_id_of_what_runs(
    database: Database, user_id: str
) -> None:
    correlation_id = uuid4()
    with structlog.contextvars.bound_contextvars(correlation_id=str(correlation_id)):
        assert await shown(database, user_id) == f"keepsake {correlation_id}"
    with structlog.contextvars.bound_contextvars(job="memory_embed_backfill", job_id=12):
        assert await shown(database, user_id) == "keepsake memory_embed_backfill 12"
    assert await shown(database, user_id) == "keepsake"


async def test_no_correlation_id_stays_on_the_connection(pool: asyncpg.Pool, user_id: str) -> None:
    with structlog.contextvars.bound_contextvars(correlation_id="a"):
        await shown(Database(pool), user_id)
    async with pool.acquire() as connection:
        assert await connection.fetchval("SHOW application_name") == ""
