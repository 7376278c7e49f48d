"""What the last answer rests on, with the words that its memories have at this moment."""

from __future__ import annotations

from uuid import UUID

from agent.commands.command import Command
from agent.explanation import Explanation, UnusedMemory, UsedMemory, reason_for
from agent.talks.answered import Answered
from agent.turn.context import TurnContext
from memory.errors import NotFound
from memory.models import KeptItem
from memory.store.memories.details import Details

SHOWN_UNUSED = 10


def asks_for_answer(command: Command, turn: TurnContext) -> Answered | None:
    """The last answer, where the command means it: it names nothing, and since then nothing was
    spoken of that is not in it."""
    answered = turn.dialogue.answered
    if answered is None or command.about is not None:
        return None
    return answered if set(turn.dialogue.mentioned) <= set(answered.ids) else None


async def explain(answered: Answered, turn: TurnContext) -> Explanation:
    """With the words that the memories have at this moment. Raises DatabaseUnavailable."""
    turn.dialogue.numbered = True
    used = [
        (number, each, await _details(each.id, turn))
        for number, each in enumerate(answered.rested, start=1)
    ]
    unused, more = await _unused(answered, turn)
    return Explanation(
        looked=answered.looked,
        used=tuple(
            UsedMemory(number, known.item, each.relevance, each.why, known.older, known.replaced_by)
            for number, each, known in used
            if known is not None
        ),
        gone=sum(known is None for _, _, known in used),
        unused=unused,
        more=more,
        quoted=answered.quoted,
    )


async def numbered(number: int, turn: TurnContext) -> list[KeptItem]:
    """The memory of that number in the last explanation; none where there is none, or where the
    numbers were not shown since the last answer."""
    answered = turn.dialogue.answered if turn.dialogue.numbered else None
    ids = () if answered is None else answered.ids
    item = await _read(ids[number - 1], turn) if 1 <= number <= len(ids) else None
    return [] if item is None else [item]


async def _unused(answered: Answered, turn: TurnContext) -> tuple[tuple[UnusedMemory, ...], int]:
    """The first SHOWN_UNUSED that are still there, and how many come after them."""
    shown: list[UnusedMemory] = []
    left = list(enumerate(answered.unused, start=len(answered.rested) + 1))
    while left and len(shown) < SHOWN_UNUSED:
        number, each = left.pop(0)
        item = await _read(each.id, turn)
        if item is not None:
            reason = reason_for(each.cut, answered.min_relevance)
            shown.append(UnusedMemory(number, item, each.relevance, each.cut, reason))
    return tuple(shown), len(left)


async def _details(item_id: UUID, turn: TurnContext) -> Details | None:
    """None where it was forgotten."""
    try:
        known = await turn.memory.entries.details(turn.user_id, item_id)
    except NotFound:
        return None
    return known if known.item.deleted_at is None else None


async def _read(item_id: UUID, turn: TurnContext) -> KeptItem | None:
    """None where it was forgotten. One that was replaced since is still explained."""
    try:
        item = await turn.memory.entries.read(turn.user_id, item_id)
    except NotFound:
        return None
    return item if item.deleted_at is None else None
