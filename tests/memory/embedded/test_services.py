from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from memory.errors import ServiceStartFailed
from memory.local_services.data_folder import DataFolder
from tests.memory.embedded.conftest import (
    Place,
    Running,
    cache,
    copy_home,
    database,
    eventually,
    keep_note,
    notes,
)


async def test_a_second_start_keeps_the_data_and_says_nothing_of_setting_up(
    new_place: Place,
) -> None:
    said: list[str] = []
    async with new_place.services(progress=said.append) as addresses:
        await keep_note(addresses, "likes tea")
        async with cache(addresses) as client:
            await client.set("greeting", "hello")
    assert said == ["Setting up the database in your data folder; this happens once…"]
    assert new_place.running() == []

    said.clear()
    async with new_place.services(progress=said.append) as addresses:
        assert await notes(addresses) == ["likes tea"]
        async with cache(addresses) as client:
            assert await client.get("greeting") == "hello"
    assert said == []


async def test_only_what_is_asked_for_is_started(place: Place) -> None:
    async with place.services(postgres=False) as addresses:
        assert place.running() == ["Valkey"]
        assert addresses.database_url == ""
        assert addresses.redis_url


async def test_the_last_one_out_stops_the_servers(place: Place) -> None:
    first, second = place.services(), place.services(postgres=False)
    addresses = await first.start()
    assert (await second.start()).redis_url == addresses.redis_url
    await first.stop()
    assert place.running() == ["PostgreSQL", "Valkey"]
    await keep_note(addresses, "the first has gone")
    await second.stop()
    await second.stop()
    assert place.running() == []


async def test_two_programs_start_from_nothing_at_once(new_place: Place) -> None:
    clients = [await new_place.client(), await new_place.client()]
    answers = await asyncio.gather(*(client.said("database_url") for client in clients))
    assert answers[0] == answers[1]
    await clients[0].leave()
    assert new_place.running() == ["PostgreSQL", "Valkey"]
    await clients[1].leave()
    assert new_place.running() == []


async def test_what_a_killed_program_leaves_the_next_last_one_out_stops(place: Place) -> None:
    client = await place.client()
    await client.said("database_url")
    await client.kill()
    assert place.running() == ["PostgreSQL", "Valkey"]
    async with place.services() as addresses:
        await keep_note(addresses, "found it running")
    assert place.running() == []


async def test_a_program_killed_during_the_first_set_up_does_no_harm(new_place: Place) -> None:
    client = await new_place.client()
    await client.said("progress")
    await client.kill()
    assert not new_place.home.postgres_data.exists()
    async with new_place.services() as addresses:
        await keep_note(addresses, "made anew")
        assert await notes(addresses) == ["made anew"]


async def test_a_cancelled_start_leaves_no_server_and_the_next_one_works(new_place: Place) -> None:
    begun = asyncio.Event()
    start = asyncio.create_task(new_place.services(progress=lambda _: begun.set()).start())
    await begun.wait()
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start

    async def nothing_runs() -> bool:
        return new_place.running() == []

    await eventually(nothing_runs)
    async with new_place.services() as addresses:
        await keep_note(addresses, "second try")


def test_the_servers_are_out_of_reach_of_a_terminals_ctrl_c(running: Running) -> None:
    for server in running.place.servers:
        assert server.process.pid is not None
        assert os.getsid(server.process.pid) != os.getsid(0)
        assert os.getpgid(server.process.pid) != os.getpgid(0)


async def test_revive_starts_what_is_dead_and_only_that(place: Place) -> None:
    services, other = place.services(), place.services()
    await services.start()
    await other.start()
    assert await services.revive() == []
    await place.kill("Valkey")
    await place.kill("PostgreSQL")
    revived = await asyncio.gather(services.revive(), other.revive())
    assert sorted(revived) == [[], ["PostgreSQL", "Valkey"]]
    assert await services.revive() == []


def test_nobody_else_can_look_inside(running: Running) -> None:
    root = running.place.home.root
    open_to_others = [
        path for path in (root, *root.rglob("*")) if stat.S_IMODE(path.lstat().st_mode) & 0o077
    ]
    assert open_to_others == []
    assert [path.name for path in root.parent.iterdir()] == ["home"]


@pytest.mark.parametrize("name", ['été: it\'s, a "test" $HOME %20', "x" * 120])
async def test_any_path_will_do(finished_home: Path, tmp_path: Path, name: str) -> None:
    place = copy_home(finished_home, tmp_path / name)
    try:
        async with place.services() as addresses:
            await keep_note(addresses, "here")
            async with database(addresses) as connection:
                where = await connection.fetchval("SHOW data_directory")
            assert where == str(tmp_path / name / "postgres")
            async with cache(addresses) as client:
                assert await client.ping()
    finally:
        await place.clear()


async def test_a_file_in_the_way_is_a_sentence_not_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(ServiceStartFailed, match="set KEEPSAKE_HOME to a folder of your own"):
        await Place(DataFolder(tmp_path / "home")).services().start()
