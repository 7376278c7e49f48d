"""How many requests a user may send in a minute: in this process, so that it holds with Redis
away."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from memory.errors import TooManyRequests
from memory.settings import Settings

SECONDS = 60.0
# Of more users than these the one who was longest silent begins anew.
MOST_USERS = 10_000


@dataclass(frozen=True)
class Bucket:
    """What is left of an allowance at a moment, in seconds of any clock that only goes on."""

    left: float
    at: float


def take(bucket: Bucket | None, per_minute: int, now: float) -> tuple[Bucket, float]:
    """The allowance after one request more, and how many seconds it has to wait: 0 where it may
    pass. A refused one costs nothing.

    A token bucket of `per_minute` that fills evenly within a minute: so many may come at once, and
    in the long run so many a minute. Nobody's bucket (None) is full.
    """
    full = float(per_minute)
    before = bucket or Bucket(full, now)
    passed = max(now - before.at, 0.0)
    left = min(full, before.left + passed * full / SECONDS)
    if left >= 1:
        return Bucket(left - 1, now), 0.0
    return Bucket(left, now), (1 - left) * SECONDS / full


class RateLimit:
    """The allowances of all users. A limit of 0 means no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, user_id: str) -> None:
        """Counts a request. Raises TooManyRequests with the whole seconds to wait."""
        if self._per_minute == 0:
            return
        now = self._clock()
        self._buckets[user_id], wait = take(self._buckets.get(user_id), self._per_minute, now)
        self._buckets.move_to_end(user_id)
        if len(self._buckets) > MOST_USERS:
            self._buckets.popitem(last=False)
        if wait:
            raise TooManyRequests(retry_after=math.ceil(wait))


@dataclass(frozen=True)
class Limits:
    """Of all requests of a user, and of those that begin an answer of the chat."""

    requests: RateLimit
    chats: RateLimit


def make_limits(settings: Settings) -> Limits:
    return Limits(RateLimit(settings.api_requests_per_minute), RateLimit(settings.chats_per_minute))
