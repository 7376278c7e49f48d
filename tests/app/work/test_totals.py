from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from app.wiring import Keepsake
from app.work.kinds import JOBS
from app.work.totals import EXPIRE_TOTALS, KEPT
from memory.store.figures.metric_totals import Counted, MetricTotals


async def test_sums_are_kept_for_a_year_and_more_and_not_for_ever(keepsake: Keepsake) -> None:
    totals, today = MetricTotals(keepsake.database), datetime.now(UTC).date()
    kept = today - KEPT + timedelta(days=1)
    for day in (today - KEPT - timedelta(days=1), kept):
        await totals.add(day, [Counted("keepsake_turns_total", {"privacy": "normal"}, 1)])
    await EXPIRE_TOTALS.run(keepsake, None)
    assert list(await totals.read(date(2000, 1, 1))) == [kept]
    assert EXPIRE_TOTALS in JOBS
    assert EXPIRE_TOTALS.schedule(keepsake.settings) is not None
