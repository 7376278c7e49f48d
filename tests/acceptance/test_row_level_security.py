"""The database keeps users apart, whatever the program asks it: connected with the rights of the
application's role alone, nothing of another user can be read or changed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import TypeAlias
from urllib.parse import quote, urlsplit
from uuid import uuid4

import asyncpg
import pytest

from agent.models.offline import OfflineModel
from memory.service import MemoryService
from memory.store.database import APPLICATION_ROLE, WORKER_ROLE, Database
from memory.types import NewMemory
from tests.agent.turns import Assist, take_turn
from tests.tables import is_refused_later

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
ERASER_ROLE = "keepsake_eraser"
# All that the worker may know of a forgotten memory: whose it is and when it is due.
WORKER_SEES_OF_TOMBSTONES = {"user_id", "item_id", "erase_after", "erased_at"}

OTHERS_ROWS = {
    "memory_usage": "SELECT user_id, id FROM memory_items",
    "memory_settings": "SELECT $1::text",
    "doubts": "SELECT a.user_id, a.id, b.id FROM memory_items a JOIN memory_items b ON a.id < b.id",
    "tombstones": (
        "SELECT $1::text, gen_random_uuid(), 'default', '\\x00'::bytea, 0, now(), now(), now()"
    ),
    "audit_log": "SELECT $1::text, 'kept'",
    "episodes": "SELECT $1::text, gen_random_uuid(), 'a task'",
    "api_keys": "SELECT $1::text, sha256($1::text::bytea), 'laptop'",
    "idempotency_keys": "SELECT $1::text, '\\x00'::bytea, '\\x00'::bytea, gen_random_uuid(), now()",
}
COLUMNS = {
    "memory_usage": "(user_id, item_id)",
    "memory_settings": "(user_id)",
    "doubts": "(user_id, older_id, newer_id)",
    "tombstones": "(user_id, item_id, space, digest, simhash, created_at, expires_at, erase_after)",
    "audit_log": "(user_id, action)",
    "episodes": "(user_id, id, task)",
    "api_keys": "(user_id, digest, name)",
    "idempotency_keys": "(user_id, key, request, attempt, begun_at)",
}
USER_TABLES = """
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attname = 'user_id' AND NOT a.attisdropped ORDER BY 1
"""


async def log_in(url: str, admin: Connection, role: str) -> tuple[str, Connection]:
    """A connection whose login is a member of `role` and of nothing else, acting as it."""
    name = f"test_{uuid4().hex[:12]}"
    await admin.execute(f'CREATE ROLE "{name}" LOGIN NOINHERIT IN ROLE {role}')
    parts = urlsplit(url)
    own = parts._replace(netloc=f"{quote(name)}@").geturl()
    connection = await asyncpg.connect(own, timeout=60, command_timeout=60)
    await connection.execute(f"SET ROLE {role}")
    return name, connection


@pytest.fixture
async def admin(own_database_url: str) -> AsyncIterator[Connection]:
    connection = await asyncpg.connect(own_database_url, timeout=60, command_timeout=60)
    yield connection
    await connection.close()


@pytest.fixture
async def as_application(database_url: str, admin: Connection) -> AsyncIterator[Connection]:
    name, connection = await log_in(database_url, admin, APPLICATION_ROLE)
    yield connection
    await connection.close()
    await admin.execute(f'DROP ROLE "{name}"')


@pytest.fixture
async def as_worker(database_url: str, admin: Connection) -> AsyncIterator[Connection]:
    name, connection = await log_in(database_url, admin, WORKER_ROLE)
    yield connection
    await connection.close()
    await admin.execute(f'DROP ROLE "{name}"')


@pytest.fixture
async def as_eraser(database_url: str, admin: Connection) -> AsyncIterator[Connection]:
    name, connection = await log_in(database_url, admin, ERASER_ROLE)
    yield connection
    await connection.close()
    await admin.execute(f'DROP ROLE "{name}"')


@pytest.fixture
async def victim(memory: MemoryService, database: Database, assist: Assist, user_id: str) -> str:
    """A user with a row in every table that has users."""
    assistant = assist(OfflineModel())
    await take_turn(assistant, user_id, uuid4(), "remember that my safe stands in the cellar")
    await assistant.aclose()
    await memory.remember(
        user_id, NewMemory(content="My safe is grey", expires_at=datetime(2100, 1, 1, tzinfo=UTC))
    )
    async with database.as_user(user_id) as connection:
        for table, rows in OTHERS_ROWS.items():
            arguments = [user_id] if "$1" in rows else []
            await connection.execute(f"INSERT INTO {table} {COLUMNS[table]} {rows}", *arguments)
    return user_id


@pytest.fixture(params=["another", "none", "empty"])
async def stranger(request: pytest.FixtureRequest, as_application: Connection) -> Connection:
    """The application's connection with another user's identity, with none, or an empty one."""
    identity = {"another": f"user-{uuid4().hex[:12]}", "empty": ""}
    if request.param in identity:
        set_identity = "SELECT set_config('app.user_id', $1, false)"
        await as_application.execute(set_identity, identity[request.param])
    return as_application


async def user_tables(admin: Connection) -> list[str]:
    tables = [row["relname"] for row in await admin.fetch(USER_TABLES)]
    assert len(tables) >= 9
    return tables


async def test_nothing_of_another_user_is_read_from_any_table(
    admin: Connection, stranger: Connection, victim: str
) -> None:
    """Every table that has a user_id, found in the catalogue, so that none can be forgotten."""
    for table in await user_tables(admin):
        assert await admin.fetchval(f"SELECT count(*) FROM {table} WHERE user_id = $1", victim), (
            f"{table} has no row to be kept from anybody: add one to the fixture `victim`"
        )
        assert await stranger.fetch(f"SELECT * FROM {table}") == [], table
        assert await stranger.fetchval(f"SELECT count(*) FROM {table}") == 0, table


async def test_nothing_of_another_user_is_changed_or_removed(
    admin: Connection, stranger: Connection, victim: str
) -> None:
    for table in await user_tables(admin):
        before = await admin.fetch(f"SELECT t.*::text FROM {table} AS t ORDER BY 1")
        for statement in (
            f"UPDATE {table} SET user_id = user_id",
            f"DELETE FROM {table}",
            f"DELETE FROM {table} WHERE user_id = '{victim}'",
        ):
            try:
                assert (await stranger.execute(statement)).endswith(" 0"), statement
            except asyncpg.InsufficientPrivilegeError:
                continue
        assert await admin.fetch(f"SELECT t.*::text FROM {table} AS t ORDER BY 1") == before


async def test_nothing_is_written_in_another_users_name(stranger: Connection, victim: str) -> None:
    written = OTHERS_ROWS | {
        "conversations": "SELECT $1::text",
        "memory_items": "SELECT $1::text, 'My safe is open', 'fact'",
        "messages": "SELECT $1::text, gen_random_uuid(), 'user', 'hello', gen_random_uuid()",
        "memory_usage": "SELECT $1::text, gen_random_uuid()",
        "doubts": "SELECT $1::text, gen_random_uuid(), gen_random_uuid()",
    }
    columns = COLUMNS | {
        "conversations": "(user_id)",
        "memory_items": "(user_id, content, type)",
        "messages": "(user_id, conversation_id, role, content, correlation_id)",
    }
    for table, rows in written.items():
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
            await stranger.execute(f"INSERT INTO {table} {columns[table]} {rows}", victim)


async def test_a_row_cannot_be_given_to_or_tied_to_another_user(
    admin: Connection, as_application: Connection, victim: str
) -> None:
    """One's own rows cannot be moved into another's memory, nor point at another's rows."""
    intruder = f"user-{uuid4().hex[:12]}"
    await as_application.execute("SELECT set_config('app.user_id', $1, false)", intruder)
    columns = "(user_id, content, type, superseded_by)"
    insert = f"INSERT INTO memory_items {columns} VALUES ($1, $2, 'fact', $3)"
    await as_application.execute(insert, intruder, "My own", None)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_application.execute("UPDATE memory_items SET user_id = $1", victim)
    item = await admin.fetchval("SELECT id FROM memory_items WHERE user_id = $1 LIMIT 1", victim)
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await as_application.execute(insert, intruder, "Points at theirs", item)


async def test_the_keyword_search_answers_for_the_identity_alone(
    stranger: Connection, victim: str
) -> None:
    """With another identity it finds nothing; without one it is an error, not a search."""
    search = "SELECT * FROM search_memory_items('safe', 'default', NULL, NULL, NULL, now(), 60)"
    identity = await stranger.fetchval("SELECT current_setting('app.user_id', true)")
    if identity:
        assert await stranger.fetch(search) == []
    else:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match=r"app\.user_id is not set"):
            await stranger.fetch(search)


async def test_identity_ends_with_the_transaction(
    database: Database, as_application: Connection, victim: str
) -> None:
    """A pooled connection does not carry one user's identity into the next transaction."""
    async with database.as_user(victim) as connection:
        inner = await connection.fetchval("SELECT current_setting('app.user_id', true)")
    async with database.as_user("somebody else") as connection:
        rows = await connection.fetch("SELECT * FROM memory_items")
        later = await connection.fetchval("SELECT current_setting('app.user_id', true)")
    assert (inner, later, rows) == (victim, "somebody else", [])


async def test_no_role_can_pass_by_row_level_security(admin: Connection) -> None:
    roles = (APPLICATION_ROLE, WORKER_ROLE, ERASER_ROLE, "keepsake_search", "keepsake_keys")
    for role in roles:
        row = await admin.fetchrow("SELECT * FROM pg_roles WHERE rolname = $1", role)
        assert row is not None, role
        for right in ("rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb", "rolcanlogin"):
            assert row[right] is False, (role, right)
        member_of = "SELECT count(*) FROM pg_auth_members WHERE member = $1"
        assert await admin.fetchval(member_of, row["oid"]) == 0, role
        owns = "SELECT count(*) FROM pg_class WHERE relowner = $1"
        assert await admin.fetchval(owns, row["oid"]) == 0, role


async def test_the_application_cannot_become_another_role(as_application: Connection) -> None:
    roles = (
        *(WORKER_ROLE, ERASER_ROLE, "keepsake_search", "keepsake_keys"),
        *("keepsake_owner", "pg_read_all_data"),
    )
    become = [
        f"{way} {role}" for role in roles for way in ("SET ROLE", "SET SESSION AUTHORIZATION")
    ]
    refused = {
        statement: await is_refused_later(
            asyncpg.InsufficientPrivilegeError, as_application.execute(statement)
        )
        for statement in become
    }
    assert [statement for statement in become if not refused[statement]] == []
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_application.execute("ALTER TABLE memory_items NO FORCE ROW LEVEL SECURITY")
    await as_application.execute("SET row_security = off")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_application.fetch("SELECT * FROM memory_items")


async def test_row_level_security_is_enabled_and_forced_on_every_user_table(
    admin: Connection,
) -> None:
    for table in await user_tables(admin):
        row = await admin.fetchrow(
            "SELECT relkind, relrowsecurity, relforcerowsecurity FROM pg_class "
            "WHERE oid = to_regclass($1)",
            table,
        )
        assert row is not None
        assert tuple(row) == (b"r", True, True), table
        policies = await admin.fetch(
            "SELECT qual, with_check FROM pg_policies WHERE tablename = $1 AND $2 = ANY (roles)",
            *(table, APPLICATION_ROLE),
        )
        assert len(policies) == 1, table
        for clause in policies[0]:
            assert "current_setting('app.user_id'" in clause, table


async def test_user_id_leads_every_key(admin: Connection) -> None:
    """First in every primary key, and first on both sides of every foreign key."""
    tables = await user_tables(admin)
    keys = await admin.fetch(
        """
        SELECT c.contype, c.conrelid::regclass::text AS owner, near.attname AS near,
               far.attname AS far, c.conname
        FROM pg_constraint AS c
        JOIN pg_attribute AS near ON near.attrelid = c.conrelid AND near.attnum = c.conkey[1]
        LEFT JOIN pg_attribute AS far ON far.attrelid = c.confrelid AND far.attnum = c.confkey[1]
        WHERE c.contype IN ('p', 'f', 'u') AND c.conrelid::regclass::text = ANY ($1)
        """,
        tables,
    )
    assert {row["owner"] for row in keys if row["contype"] == b"p"} == set(tables)
    for row in keys:
        assert row["near"] == "user_id", row["conname"]
        if row["contype"] == b"f":
            assert row["far"] == "user_id", row["conname"]


async def test_no_view_function_or_statistic_is_a_way_around(
    admin: Connection, as_application: Connection, victim: str
) -> None:
    """There is no view, no sample of values to read, and of the functions with another's
    rights none takes a user."""
    views = "SELECT viewname FROM pg_views WHERE schemaname = 'public'"
    assert await admin.fetch(views) == []
    definers = await admin.fetch(
        """
        SELECT p.oid, p.proname, p.proconfig, p.proargnames, owner.rolsuper, owner.rolbypassrls
        FROM pg_proc AS p JOIN pg_roles AS owner ON owner.oid = p.proowner
        WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace
          AND has_function_privilege($1, p.oid, 'EXECUTE')
        ORDER BY p.proname
        """,
        APPLICATION_ROLE,
    )
    assert [row["proname"] for row in definers] == [
        "conversations_saying",
        "erase_user",
        "expire_audit",
        "find_api_key",
        "request_job",
        "search_memory_items",
        "search_messages",
    ]
    for row in definers:
        assert not row["rolsuper"]
        assert not row["rolbypassrls"]
        assert any(each.startswith("search_path=") for each in row["proconfig"])
        assert not any("user" in name for name in row["proargnames"])
    await admin.execute("ANALYZE")
    for table in await user_tables(admin):
        shown = "SELECT count(*) FROM pg_stats WHERE tablename = $1"
        assert await as_application.fetchval(shown, table) == 0, table


async def test_the_application_cannot_change_the_schema_or_the_past(
    as_application: Connection, victim: str
) -> None:
    """No table is made, emptied or altered, and no line of the audit log is rewritten."""
    await as_application.execute("SELECT set_config('app.user_id', $1, false)", victim)
    for statement in (
        "CREATE TABLE mine (id int)",
        "TRUNCATE memory_items",
        "UPDATE audit_log SET action = 'nothing happened'",
        "DELETE FROM audit_log",
        "UPDATE schema_migrations SET checksum = ''",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DROP POLICY own_rows ON memory_items",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await as_application.execute(statement)


async def test_the_worker_reads_and_writes_only_what_it_must(
    admin: Connection, as_worker: Connection, victim: str
) -> None:
    """It embeds: it reads messages and memories of all users and writes their vectors alone. Of
    what was forgotten it sees whose it is and when it is due."""
    embeds = {"messages", "memory_items"}
    for table in sorted(embeds):
        assert await as_worker.fetchval(f"SELECT count(*) FROM {table}") > 0
        filled = (
            f"UPDATE {table} SET embedding = NULL, embedding_model = 'm', needs_embedding = true"
        )
        assert not (await as_worker.execute(filled)).endswith(" 0")
        for statement in (
            f"UPDATE {table} SET content = 'rewritten'",
            f"UPDATE {table} SET user_id = 'somebody'",
            f"DELETE FROM {table}",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await as_worker.execute(statement)
    for table in set(await user_tables(admin)) - embeds:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await as_worker.execute(f"SELECT * FROM {table}")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_worker.execute(
            "INSERT INTO memory_items (user_id, content, type) VALUES ('me', 'x', 'fact')"
        )
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_worker.execute(
            "SELECT * FROM search_memory_items('safe', 'default', NULL, NULL, NULL, now(), 60)"
        )
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_worker.execute("SELECT * FROM erase_user()")


async def test_the_worker_sees_of_a_tombstone_only_when_it_is_due(
    admin: Connection, as_worker: Connection, victim: str
) -> None:
    columns = await admin.fetch(
        "SELECT attname FROM pg_attribute "
        "WHERE attrelid = 'tombstones'::regclass AND attnum > 0 AND NOT attisdropped"
    )
    for [column] in columns:
        read = f"SELECT {column} FROM tombstones"
        if column in WORKER_SEES_OF_TOMBSTONES:
            assert await as_worker.fetch(read) != [], column
        else:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await as_worker.fetch(read)
    for statement in ("UPDATE tombstones SET erased_at = now()", "DELETE FROM tombstones"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await as_worker.execute(statement)


async def test_the_eraser_removes_its_own_users_rows_and_does_nothing_else(
    admin: Connection, as_eraser: Connection, victim: str
) -> None:
    """Without an identity, or with another's, it sees and removes nothing; it writes nowhere."""
    tables = await user_tables(admin)
    for identity in (None, "", f"user-{uuid4().hex[:12]}"):
        if identity is not None:
            await as_eraser.execute("SELECT set_config('app.user_id', $1, false)", identity)
        for table in tables:
            assert await as_eraser.fetch(f"SELECT * FROM {table}") == [], table
            removed = await as_eraser.execute(f"DELETE FROM {table} WHERE user_id = $1", victim)
            assert removed == "DELETE 0", table
    await as_eraser.execute("SELECT set_config('app.user_id', $1, false)", victim)
    for table in tables:
        assert await as_eraser.fetchval(f"SELECT count(*) FROM {table}") > 0, table
        for statement in (
            f"UPDATE {table} SET user_id = user_id",
            f"INSERT INTO {table} (user_id) VALUES ('{victim}')",
            f"TRUNCATE {table}",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await as_eraser.execute(statement)
    for statement in (
        "CREATE TABLE mine (id int)",
        "SELECT * FROM search_memory_items('safe', 'default', NULL, NULL, NULL, now(), 60)",
        "SELECT * FROM schema_migrations",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await as_eraser.execute(statement)


async def test_erasing_a_user_reaches_that_user_whole_and_nobody_else(
    admin: Connection, stranger: Connection, victim: str
) -> None:
    """Every table that has a user_id is emptied of the user, none of anybody else; and so is the
    queue."""
    tables = await user_tables(admin)
    identity = await stranger.fetchval("SELECT current_setting('app.user_id', true)")
    if identity:
        assert sum(row["count"] for row in await stranger.fetch("SELECT * FROM erase_user()")) == 0
    else:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match=r"app\.user_id is not set"):
            await stranger.execute("SELECT * FROM erase_user()")
    for table in tables:
        left = f"SELECT count(*) FROM {table} WHERE user_id = $1"
        assert await admin.fetchval(left, victim) > 0, table
    await stranger.execute("SELECT set_config('app.user_id', $1, false)", victim)
    erased = {
        row["name"]: row["count"] for row in await stranger.fetch("SELECT * FROM erase_user()")
    }
    assert set(erased) == {*tables, "jobs"}
    assert all(erased.values())
    for table in tables:
        left = f"SELECT count(*) FROM {table} WHERE user_id = $1"
        assert await admin.fetchval(left, victim) == 0, table
