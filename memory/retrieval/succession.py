"""Of two memories of which the later one may have taken the place of the earlier one, and the user
was asked and has not answered which holds: the later one comes with it and first, and the earlier
one is not said as sure. Where the past is asked for, it is the other way round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from memory.retrieval.selection import RecallCandidate, SelectionPolicy

# It was asked about because it is about as likely as not that the earlier one still holds.
_HOLDS = 0.5
DOUBTED, DOUBTING = "perhaps replaced since", "may have replaced another one"


def weigh_succession(
    judged: Sequence[RecallCandidate],
    policy: SelectionPolicy,
    now: datetime,
    *,
    possible: float,
    past: bool = False,
) -> list[RecallCandidate]:
    """The later one helps as much as the earlier one, whose words the question may have alone, and
    answers about as probably as that would, if it is the one that holds. What was `possible` as an
    answer stays so."""
    earlier = _earlier(judged)
    raised = {each.id: each for each in judged}
    weighed: dict[UUID, RecallCandidate] = {}

    def halved(answers: float) -> float:
        return max(_HOLDS * answers, min(answers, possible))

    for one in sorted(judged, key=lambda each: each.row.created_at):
        each = one
        if before := [raised[at] for at in earlier[one.id] if raised[at].is_open]:
            most = max(other.relevance for other in before)
            if each.is_open and most > each.relevance:
                each = each.rated(most, policy, now)
            own = halved(each.answers) if past else each.answers
            theirs = max(halved(other.answers) for other in before)
            each = each.answered(max(own, theirs)).noted(DOUBTING)
        raised[one.id] = weighed[one.id] = each
        if each.row.doubted_by and not past:
            weighed[one.id] = each.answered(halved(each.answers)).noted(DOUBTED)
    return [weighed[each.id] for each in judged]


def put_later_first(
    kept: Sequence[RecallCandidate], *, past: bool = False
) -> list[RecallCandidate]:
    """Each later one right before the earlier one where it came after that; where the past is asked
    for, the other way round."""
    waiting = {each.id: each for each in kept}
    earlier = _earlier(kept)
    placed: list[RecallCandidate] = []

    def place(each: RecallCandidate) -> None:
        if waiting.pop(each.id, None) is None:
            return
        for other in earlier[each.id] if past else each.row.doubted_by:
            if other in waiting:
                place(waiting[other])
        placed.append(each)

    for each in kept:
        place(each)
    return placed


def _earlier(candidates: Sequence[RecallCandidate]) -> defaultdict[UUID, list[UUID]]:
    found: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for each in candidates:
        for later in each.row.doubted_by:
            found[later].append(each.id)
    return found
