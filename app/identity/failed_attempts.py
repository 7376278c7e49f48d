"""How often a peer may offer credentials that are wrong."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from app.identity.addresses import Address, neighbourhood
from memory.errors import TooManyRequests

PER_MINUTE = 30
MOST_PEERS = 4096
_WINDOW = 60.0


class Attempts:
    """Counts within windows of a minute that begin with a peer's first attempt. In this process
    alone; of more than `most_peers` the one that began longest ago is forgotten."""

    def __init__(
        self,
        per_minute: int = PER_MINUTE,
        most_peers: int = MOST_PEERS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._per_minute = per_minute
        self._most_peers = most_peers
        self._clock = clock
        self._counted: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def admit(self, peer: Address | None) -> None:
        """Raises TooManyRequests for one who has used up this minute's attempts."""
        began, count = self._of(neighbourhood(peer))
        if count >= self._per_minute:
            raise TooManyRequests(retry_after=math.ceil(began + _WINDOW - self._clock()))

    def count(self, peer: Address | None) -> None:
        """One more was made."""
        name = neighbourhood(peer)
        began, count = self._of(name)
        if count == 0:
            self._counted.pop(name, None)
        self._counted[name] = (began, count + 1)
        if len(self._counted) > self._most_peers:
            self._counted.popitem(last=False)

    def _of(self, name: str) -> tuple[float, int]:
        """When the peer's window began, and how many attempts there were in it."""
        now = self._clock()
        began, count = self._counted.get(name, (now, 0))
        return (began, count) if now < began + _WINDOW else (now, 0)
