from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.bootstrap import Keepsake
from app.worker.jobs import CAPS, EXPIRY, JOBS, NIGHTLY_JOBS, RETENTION, JobKind
from memory.config import Settings
from tests.app.work.rows import jobs
from tests.memory.controls.conftest import Kept

LONG_AGO = datetime.now(UTC) - timedelta(days=400)


def by_the_clock(settings: Settings) -> dict[str, str | None]:
    return {job.name: job.schedule(settings) for job in NIGHTLY_JOBS}


def test_the_schedules_are_004s(settings: Settings) -> None:
    assert by_the_clock(settings) == {
        "memory_roll_up": "0 2 * * *",
        "memory_caps": "30 2 * * *",
        "index_prune": "0 3 * * *",
        "memory_retention": "30 3 * * *",
        "index_rebuild": "0 4 * * 0",
        "expiry": "0 5 * * *",
    }
    assert set(NIGHTLY_JOBS) <= set(JOBS)


def test_each_can_be_switched_off(settings: Settings) -> None:
    never = {f"{name}_schedule": "never" for name in ("cap", "prune", "rebuild", "expiry")}
    changed = never | {"roll_up": False, "retention_schedule": "never"}
    assert set(by_the_clock(settings.model_copy(update=changed)).values()) == {None}


async def asked_for(database_url: str, kind: JobKind) -> list[str]:
    return [job["payload"].decode() for job in await jobs(database_url, kind.name)]


async def test_everybody_has_a_job_of_their_own(
    keepsake: Keepsake, database_url: str, user_id: str
) -> None:
    """However many they are: what fails for one, or was ended in between, is done again for that
    one alone."""
    kept, users = Kept(keepsake.database), sorted(f"{user_id}-{number}" for number in range(501))
    for each in users:
        await kept.item(each, "User likes tea", created_at=LONG_AGO)
    await CAPS.run(keepsake, None)
    assert await asked_for(database_url, CAPS) == users
    await CAPS.run(keepsake, None)
    assert await asked_for(database_url, CAPS) == users


async def test_a_job_is_done_for_its_user_alone(keepsake: Keepsake, user_id: str) -> None:
    kept, users = Kept(keepsake.database), [user_id, f"{user_id}-other"]
    for each in users:
        await kept.item(each, "trimmed", deleted_at=LONG_AGO, removed_because="trimmed")
    await RETENTION.run(keepsake, user_id)
    assert [action for action, _ in await kept.actions(user_id)] == ["removed"]
    assert await kept.actions(users[1]) == []


async def test_what_is_noted_ends_also_where_no_memory_is_left(
    keepsake: Keepsake, database_url: str, user_id: str
) -> None:
    kept = Kept(keepsake.database)
    await kept.execute(
        f"{user_id}-log",
        "INSERT INTO audit_log (user_id, action, created_at) VALUES ($1, 'kept', $2)",
        f"{user_id}-log",
        LONG_AGO,
    )
    await kept.execute(
        f"{user_id}-stone",
        "INSERT INTO tombstones (user_id, item_id, digest, simhash, erase_after, expires_at)"
        " VALUES ($1, gen_random_uuid(), 'x', 0, $2, $2)",
        f"{user_id}-stone",
        LONG_AGO,
    )
    await kept.item(f"{user_id}-memory", "User likes tea")
    await EXPIRY.run(keepsake, None)
    assert await asked_for(database_url, EXPIRY) == [f"{user_id}-log", f"{user_id}-stone"]
    await EXPIRY.run(keepsake, f"{user_id}-log")
    assert await kept.actions(f"{user_id}-log") == []


async def test_the_cap_is_kept_of_what_was_never_counted(keepsake: Keepsake, user_id: str) -> None:
    kept = Kept(keepsake.database)
    for number in range(keepsake.settings.memory_cap + 3):
        await kept.item(user_id, f"number {number}", created_at=LONG_AGO)
    await CAPS.run(keepsake, user_id)
    query = "SELECT count(*) FROM memory_items WHERE deleted_at IS NULL"
    assert await kept.value(user_id, query) <= keepsake.settings.memory_cap
