from __future__ import annotations

import asyncio
import os
import sys

import asyncpg
import pytest

from memory.errors import ServiceStartFailed
from tests.memory.embedded.conftest import Place, Running, database, eventually, keep_note, notes


async def test_it_is_utf8_durable_and_has_pgvector(running: Running) -> None:
    async with database(running.addresses) as connection:
        await connection.execute("CREATE EXTENSION vector")
        await connection.execute("CREATE EXTENSION btree_gin")
        shown = {
            row["name"]: row["setting"]
            for row in await connection.fetch("SELECT name, setting FROM pg_settings")
        }
        assert shown["listen_addresses"] == ""
        assert (shown["fsync"], shown["synchronous_commit"]) == ("on", "on")
        assert (shown["server_encoding"], shown["jit"]) == ("UTF8", "off")
        assert await connection.fetchval("SELECT lower('ÉTÉ')") == "été"
        assert await connection.fetchval("SELECT current_user::text") == "keepsake_owner"


async def test_killed_it_is_started_by_the_next_program(place: Place) -> None:
    client = await place.client()
    await client.said("database_url")
    await place.kill("PostgreSQL")
    await client.kill()
    async with place.services(valkey=False) as addresses:
        await keep_note(addresses, "alive")
    assert place.running() == []


async def test_killed_with_a_query_at_work_it_is_revived_with_everything_in_it(
    place: Place,
) -> None:
    services = place.services(valkey=False)
    addresses = await services.start()
    await keep_note(addresses, "before the crash")
    async with database(addresses) as connection:
        query = asyncio.create_task(
            connection.execute("SELECT count(*) FROM generate_series(1, 1000000000)")
        )
        async with database(addresses) as watcher:

            async def at_work() -> bool:
                return bool(
                    await watcher.fetchval(
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
                        " AND query LIKE '%1000000000%' AND pid <> pg_backend_pid()"
                    )
                )

            await eventually(at_work)
        await place.kill("PostgreSQL")
        assert await services.revive() == ["PostgreSQL"]
        with pytest.raises((asyncpg.PostgresError, OSError)):
            await query
    assert await notes(addresses) == ["before the crash"]
    await keep_note(addresses, "after")


async def test_a_process_number_that_now_is_another_programs_does_not_stop_it(
    place: Place,
) -> None:
    async with place.services(valkey=False) as addresses:
        await keep_note(addresses, "old")
    pid_file = place.home.postgres_data / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{place.home.postgres_data}\n1\n5432\n\n\n1 1\nready\n")
    socket_lock = place.home.sockets / ".s.PGSQL.5432.lock"
    socket_lock.write_text(f"{os.getpid()}\n{place.home.postgres_data}\n")
    place.home.postgres_lock.write_text(f"{os.getpid()}\n")
    async with place.services(valkey=False) as addresses:
        assert await notes(addresses) == ["old"]


async def test_a_server_that_somebody_started_by_hand_is_left_in_peace(place: Place) -> None:
    async with place.services(valkey=False):
        pass
    stand_in = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "input()", "-D", str(place.home.postgres_data)),
        stdin=asyncio.subprocess.PIPE,
    )
    try:
        (place.home.postgres_data / "postmaster.pid").write_text(f"{stand_in.pid}\n")
        with pytest.raises(ServiceStartFailed, match=f"process {stand_in.pid} serves the same"):
            await place.services(valkey=False).start()
        assert stand_in.returncode is None
    finally:
        stand_in.kill()
        await stand_in.communicate()


async def test_something_else_in_its_folder_is_not_touched(new_place: Place) -> None:
    new_place.home.postgres_data.mkdir(parents=True)
    precious = new_place.home.postgres_data / "precious.txt"
    precious.write_text("mine")
    with pytest.raises(ServiceStartFailed, match="holds something that is not a database"):
        await new_place.services(valkey=False).start()
    assert precious.read_text() == "mine"


async def test_a_socket_that_was_swept_away_comes_back(place: Place) -> None:
    services = place.services(valkey=False)
    addresses = await services.start()
    (place.home.sockets / ".s.PGSQL.5432").unlink()
    assert await services.revive() == ["PostgreSQL"]
    await keep_note(addresses, "reachable")


async def test_the_log_holds_nothing_of_what_was_stored(place: Place) -> None:
    services = place.services(valkey=False)
    addresses = await services.start()
    async with database(addresses) as connection:
        await connection.execute("CREATE TABLE note (content text UNIQUE)")
        await connection.execute("INSERT INTO note VALUES ($1)", "zebrafish")
        for wrong in (
            "INSERT INTO note VALUES ('zebrafish')",
            "SELECT 'zebrafish'::int",
            "SELEKT 'zebrafish'",
            "DO $$ BEGIN RAISE WARNING 'zebrafish'; RAISE EXCEPTION 'zebrafish'; END $$",
        ):
            with pytest.raises(asyncpg.PostgresError):
                await connection.execute(wrong)
        with pytest.raises(asyncpg.DataError):
            await connection.fetchval("SELECT $1::text::int", "zebrafish")
        backend = await connection.fetchval("SELECT pg_backend_pid()")
        query = asyncio.create_task(connection.execute("SELECT 'zebrafish', pg_sleep(30)"))
        async with database(addresses) as watcher:

            async def asleep() -> bool:
                return bool(
                    await watcher.fetchval(
                        "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = $1",
                        backend,
                    )
                )

            await eventually(asleep)
        os.kill(backend, 9)
        with pytest.raises((asyncpg.PostgresError, OSError)):
            await query
    await services.revive()

    async def noticed() -> bool:
        return "terminated by signal 9" in place.home.postgres_log.read_text()

    await eventually(noticed)
    assert "zebrafish" not in place.home.postgres_log.read_text()
