"""Whose turn it is to make room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def with_the_most(owners: Iterable[str]) -> str:
    """The owner of the most things, named once for each of them; of several, the one who is named
    first. There has to be one."""
    [(owner, _)] = Counter(owners).most_common(1)
    return owner
