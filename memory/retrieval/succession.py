"""Of two memories of which the later one may have taken the place of the earlier one, and the user
was asked and has not answered which holds: the later one comes first, and neither is sure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.retrieval.selection import RecallCandidate, SelectionPolicy

# It was asked about because it is about as likely as not that the earlier one still holds.
_HOLDS = 0.5


def weigh_succession(
    judged: Sequence[RecallCandidate], policy: SelectionPolicy, now: datetime
) -> list[RecallCandidate]:
    """The later one helps as much as the earlier one, whose words the question may have alone; each
    answers as probably as the earlier one would, if it is the one that holds."""
    earlier = {later: each for each in judged for later in each.row.doubted_by}
    known = {each.id for each in judged}

    def weighed(each: RecallCandidate) -> RecallCandidate:
        doubted = not known.isdisjoint(each.row.doubted_by)
        found = each.answered(_HOLDS * each.answers) if doubted else each
        before = earlier.get(each.id)
        if before is None:
            return found
        if before.relevance > found.relevance and found.is_open:
            found = found.rated(before.relevance, policy, now)
        return found.answered(max(found.answers, _HOLDS * before.answers))

    return [weighed(each) for each in judged]


def put_later_first(
    kept: Sequence[RecallCandidate], *, past: bool = False
) -> list[RecallCandidate]:
    """Each later one right before the earlier one where it came after that; where the past is asked
    for, the other way round."""
    waiting = {each.id: each for each in kept}
    earlier = {later: each.id for each in kept for later in each.row.doubted_by}
    placed: list[RecallCandidate] = []

    def place(each: RecallCandidate) -> None:
        if waiting.pop(each.id, None) is None:
            return
        first = [earlier.get(each.id)] if past else each.row.doubted_by
        for other in first:
            if other in waiting:
                place(waiting[other])
        placed.append(each)

    for each in kept:
        place(each)
    return placed
