"""How texts stand to each other, each pair judged once for as long as it comes up again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from memory.understanding.relations import Relations, relations_of
from memory.write.novelty import Relate

MOST_JUDGED = 2000


class Pairs:
    """`relate`, which remembers the `most` pairs that it judged last; 0 remembers nothing.

    What it remembers is in this process alone and is written nowhere. Words cannot be taken out
    one by one, so whoever forgets or erases memories calls `clear`. Other processes that serve
    the same user drop them as they read others, or when they end.
    """

    def __init__(self, most: int = MOST_JUDGED, relate: Relate = relations_of) -> None:
        self._most = most
        self._relate = relate
        self._judged: OrderedDict[tuple[str, str], Relations] = OrderedDict()
        self._lock = Lock()

    def __call__(self, new: str, older: Sequence[str]) -> list[Relations]:
        with self._lock:
            known = {each: self._judged.get((new, each)) for each in older}
        missing = [each for each, relations in known.items() if relations is None]
        judged = dict(zip(missing, self._relate(new, missing), strict=True))
        with self._lock:
            for each, relations in judged.items():
                self._judged[new, each] = relations
            while len(self._judged) > self._most:
                self._judged.popitem(last=False)
        return [known[each] or judged[each] for each in older]

    def clear(self) -> None:
        """Drops everything."""
        with self._lock:
            self._judged.clear()
