from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.wiring import Keepsake
from app.work.jobs import JOBS
from app.work.lifecycle import (
    CAPS,
    EXPIRY,
    NIGHTLY,
    RETENTION,
    ROLL_UP,
    everybody,
    for_each,
    of_tonight,
)
from memory.errors import DatabaseUnavailable
from memory.settings import Settings
from memory.upkeep.lifecycle import Lifecycle
from tests.memory.controls.conftest import Kept

LONG_AGO = datetime.now(UTC) - timedelta(days=400)
TEAS = [f"User drinks {kind} tea after lunch" for kind in ("green", "mint", "oolong", "rooibos")]


def by_the_clock(settings: Settings) -> dict[str, str | None]:
    return {job.name: job.schedule(settings) for job in NIGHTLY}


def test_the_schedules_are_004s(settings: Settings) -> None:
    assert by_the_clock(settings) == {
        "memory_roll_up": "0 2 * * *",
        "memory_caps": "30 2 * * *",
        "index_prune": "0 3 * * *",
        "memory_retention": "30 3 * * *",
        "index_rebuild": "0 4 * * 0",
        "expiry": "0 5 * * *",
    }
    assert set(NIGHTLY) <= set(JOBS)


def test_each_can_be_switched_off(settings: Settings) -> None:
    never = {f"{name}_schedule": "never" for name in ("cap", "prune", "rebuild", "expiry")}
    changed = never | {"roll_up": False, "retention_schedule": "never"}
    assert set(by_the_clock(settings.model_copy(update=changed)).values()) == {None}


async def test_it_is_done_for_everybody(keepsake: Keepsake, user_id: str) -> None:
    kept, users = Kept(keepsake.database), [user_id, f"{user_id}-other"]
    for each in users:
        for content in TEAS:
            await kept.item(each, content, tags=["tea"], created_at=LONG_AGO)
        await kept.item(each, "trimmed", deleted_at=LONG_AGO, removed_because="trimmed")
    assert await everybody(keepsake) == users
    await ROLL_UP.run(keepsake, None)
    await RETENTION.run(keepsake, None)
    await EXPIRY.run(keepsake, None)
    for each in users:
        done = {action for action, _ in await kept.actions(each)}
        assert done == {"rolled_up", "archived", "removed"}


async def test_the_cap_is_kept_of_what_was_never_counted(keepsake: Keepsake, user_id: str) -> None:
    kept = Kept(keepsake.database)
    for number in range(keepsake.settings.memory_cap + 3):
        await kept.item(user_id, f"number {number}", created_at=LONG_AGO)
    await CAPS.run(keepsake, user_id)
    query = "SELECT count(*) FROM memory_items WHERE deleted_at IS NULL"
    assert await kept.value(user_id, query) <= keepsake.settings.memory_cap


def test_everybody_has_their_turn_however_few_a_night() -> None:
    users, tonight = [f"user-{number}" for number in range(7)], datetime(2026, 5, 4, tzinfo=UTC)
    nights = [of_tonight(users, 2, tonight + timedelta(days=day)) for day in range(4)]
    assert all(len(night) == 2 for night in nights)
    assert {each for night in nights for each in night} == set(users)
    assert of_tonight(users, 7, tonight) == users
    assert of_tonight([], 7, tonight) == []


class Fails:
    """Fails for the first user it is asked for."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.users: list[str] = []

    async def __call__(self, _lifecycle: Lifecycle, user_id: str, _now: datetime) -> None:
        self.users.append(user_id)
        if len(self.users) == 1:
            raise self._error


async def test_one_user_does_not_stand_in_the_way_of_the_others(
    keepsake: Keepsake, user_id: str
) -> None:
    kept = Kept(keepsake.database)
    for number in range(2):
        await kept.item(f"{user_id}-{number}", "User likes tea")
    fails = Fails(ValueError("of this user alone"))
    await for_each(keepsake, None, "test", fails)
    assert fails.users == [f"{user_id}-0", f"{user_id}-1"]


async def test_a_database_that_is_away_ends_it(keepsake: Keepsake, user_id: str) -> None:
    await Kept(keepsake.database).item(user_id, "User likes tea")
    with pytest.raises(DatabaseUnavailable):
        await for_each(keepsake, None, "test", Fails(DatabaseUnavailable(reason="away")))
