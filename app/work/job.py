"""What a kind of work is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from memory.settings import Settings

if TYPE_CHECKING:
    from app.wiring import Keepsake

# Far more than such work takes where all is well: what is not done by then does not end.
USUAL_DEADLINE = timedelta(minutes=30)
# Of work that goes through all that a user has, which may rightly take hours.
LONG_DEADLINE = timedelta(hours=6)


def never(_settings: Settings) -> str | None:
    """Not by the clock."""
    return None


@dataclass(frozen=True)
class Job:
    """A kind of work: `name` is its entrypoint in the queue, and `run` does it for one user, or
    for everything where there is none.

    `run` may be called again for what it did before (the worker died, or two were queued), and
    finds nothing left then. What it raises is tried again; see `app.work.attempts`. `schedule` is
    a cron expression in UTC; None: not by the clock. A scheduled job is queued for no user. Where
    it waits for a model, `at_most` so many are done at once, of all workers together, so that a
    model that hangs leaves a worker free for all else. What is not done by its `deadline` is ended.
    """

    name: str
    run: Callable[[Keepsake, str | None], Awaitable[None]]
    schedule: Callable[[Settings], str | None] = never
    at_most: int | None = None
    deadline: timedelta = USUAL_DEADLINE
