from __future__ import annotations

from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.applications import PgQueuer
from pgqueuer.domain.models import Schedule

from app.worker.jobs import JOBS
from app.worker.queue import QUEUE_NAMES
from memory.config import Settings
from tests.app.work.rows import owner_of


async def test_the_tables_are_those_that_the_queue_declares(database_url: str) -> None:
    """A later pgqueuer that declares others fails here, and needs a migration."""
    async with owner_of(database_url) as owner:
        queries = Queries(AsyncpgDriver(owner), qbe=QueryBuilderEnvironment(QUEUE_NAMES))
        plan = await queries.plan_upgrade()
    assert list(plan.statements) == []


def test_every_scheduled_kind_has_an_expression_that_the_queue_knows(settings: Settings) -> None:
    """It refuses any other."""
    queue = PgQueuer.in_memory()
    scheduled = [(kind.name, kind.schedule(settings)) for kind in JOBS]
    for name, expression in scheduled:
        if expression is not None:
            queue.schedule(name, expression)(_nothing)
    assert len(queue.sm.registry) == len([name for name, expression in scheduled if expression])
    assert len(queue.sm.registry) > 0


def test_no_two_kinds_have_one_name() -> None:
    names = [kind.name for kind in JOBS]
    assert len(set(names)) == len(names)


async def _nothing(_due: Schedule) -> None:
    """What a schedule is registered with."""
