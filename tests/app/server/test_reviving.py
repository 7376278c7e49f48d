from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx2

from app.bootstrap import Keepsake
from app.supervisor import supervise
from app.tasks import cancel_and_wait
from memory.config import Settings
from memory.errors import CacheUnavailable, DatabaseUnavailable, ServiceStartFailed
from memory.local_services.data_folder import DataFolder
from tests.app.program import Program
from tests.app.test_serve import SECONDS, address_told
from tests.memory.embedded.conftest import copy_home, eventually


@dataclass
class Services:
    """A database and a cache that are dead until they were started as often as it takes."""

    settings: Settings
    starts_needed: int = 1
    database_is_dead: bool = False
    cache_is_dead: bool = False
    starts: int = 0
    pings: list[str] = field(default_factory=list)
    saved: int = 0

    @property
    def memory(self) -> Any:
        return SimpleNamespace(space_settings=self._ask)

    @property
    def cache(self) -> Any:
        return SimpleNamespace(ping=self._ping)

    @property
    def assistant(self) -> Any:
        return SimpleNamespace(save_unsaved=self._save)

    async def revive(self) -> list[str]:
        self.starts += 1
        if self.starts < self.starts_needed:
            raise ServiceStartFailed(service="PostgreSQL", reason="no", log="a log")
        self.database_is_dead = self.cache_is_dead = False
        return ["PostgreSQL"]

    async def _ask(self, _user_id: str, _space: str) -> None:
        self.pings.append("database")
        if self.database_is_dead:
            raise DatabaseUnavailable(reason="dead")

    async def _ping(self) -> None:
        self.pings.append("cache")
        if self.cache_is_dead:
            raise CacheUnavailable(reason="dead")

    async def _save(self) -> None:
        self.saved += 1


async def looked_after(services: Services, *, until: str, times: int) -> None:
    async def seen() -> bool:
        return services.pings.count(until) >= times

    task = asyncio.create_task(supervise(cast(Keepsake, services), pause=0.001))
    await eventually(seen)
    await cancel_and_wait(task)


async def test_a_dead_database_is_started_and_what_was_unsaved_is_saved(
    settings: Settings,
) -> None:
    services = Services(settings, starts_needed=3, database_is_dead=True)
    await looked_after(services, until="database", times=8)
    assert services.starts == 3
    assert services.saved == 1


async def test_a_dead_cache_is_started(settings: Settings) -> None:
    services = Services(settings, cache_is_dead=True)
    await looked_after(services, until="cache", times=5)
    assert services.starts == 1


async def test_what_lives_is_left_alone(settings: Settings) -> None:
    services = Services(settings)
    await looked_after(services, until="database", times=5)
    assert services.starts == services.saved == 0


async def test_what_is_not_ours_is_not_asked(settings: Settings) -> None:
    theirs = settings.model_copy(update={"database_url": "theirs", "redis_url": "theirs"})
    services = Services(theirs, database_is_dead=True, cache_is_dead=True)
    await supervise(cast(Keepsake, services))
    assert services.pings == []


async def test_a_server_outlives_its_database(tmp_path: Path, finished_home: Path) -> None:
    """PostgreSQL is killed under it; it answers again by itself."""
    copied = copy_home(finished_home, tmp_path / "home").home.root
    program = Program(tmp_path, copied, SERVE_PORT="0")
    process = program.start("serve")
    try:
        address = await asyncio.to_thread(address_told, process)
        async with httpx2.AsyncClient(base_url=address, timeout=SECONDS) as client:
            assert (await client.get("/readyz")).status_code == 200
            os.kill(postmaster_of(program.home), signal.SIGKILL)

            log = program.home / "logs" / "keepsake.log"

            async def answers_again() -> bool:
                ready = (await client.get("/readyz")).status_code == 200
                return ready and '"services revived"' in log.read_text()

            await eventually(answers_again, SECONDS)
            assert (await client.get("/v1/memory/summary")).status_code == 200
        process.terminate()
        assert await asyncio.to_thread(process.wait, SECONDS) == 0
    finally:
        process.kill()
        process.communicate()


def postmaster_of(home: Path) -> int:
    [file] = DataFolder(home).root.rglob("postmaster.pid")
    return int(file.read_text().splitlines()[0])
