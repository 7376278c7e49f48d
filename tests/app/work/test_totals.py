from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from app.bootstrap import Keepsake
from app.worker.jobs import EXPIRE_TOTALS, JOBS, TOTALS_KEPT
from memory.store.statistics import MetricSample, MetricTotalStore


async def test_sums_are_kept_for_a_year_and_more_and_not_for_ever(keepsake: Keepsake) -> None:
    totals, today = MetricTotalStore(keepsake.database), datetime.now(UTC).date()
    kept = today - TOTALS_KEPT + timedelta(days=1)
    for day in (today - TOTALS_KEPT - timedelta(days=1), kept):
        await totals.add(day, [MetricSample("keepsake_turns_total", {"privacy": "normal"}, 1)])
    await EXPIRE_TOTALS.run(keepsake, None)
    assert list(await totals.read(date(2000, 1, 1))) == [kept]
    assert EXPIRE_TOTALS in JOBS
    assert EXPIRE_TOTALS.schedule(keepsake.settings) is not None
