"""Which memories a command means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

from agent.commands.command import Command
from agent.commands.explaining import numbered
from agent.turn.context import TurnContext
from agent.wording.wording import Wording
from memory.errors import NotFound
from memory.models import KeptItem
from memory.store.forgetting.parts import Part

LISTED = 20
_NUMBER = re.compile(r"#(\d{1,3})")


async def meant(command: Command, turn: TurnContext, *, removed: bool = False) -> list[KeptItem]:
    """By its words, the best match first; by its number in what /why shows (“#2”); everything of
    the space; or what the last turn was about. With `removed` also what is out of recall and not
    forgotten."""
    entries = turn.memory.entries
    if command.everything:
        return await entries.all(turn.user_id, turn.space, removed=removed)
    words = command.about
    if words is None:
        return await named(command, turn) or await read_living(turn.dialogue.mentioned, turn)
    if number := _NUMBER.fullmatch(words):
        return await numbered(int(number[1]), turn)
    found = await entries.find_matching(turn.user_id, turn.space, words, removed=removed)
    return found or await named(command, turn)


async def named(command: Command, turn: TurnContext) -> list[KeptItem]:
    """The memories of which a command that was said holds words, wherever in it they stand."""
    if command.said is None:
        return []
    found = await turn.memory.entries.meant(turn.user_id, turn.space, command.said)
    return [each.item for each in found if each.words]


async def read_living(ids: Sequence[UUID], turn: TurnContext) -> list[KeptItem]:
    """Those of the ids that are still there."""
    found = []
    for item_id in ids:
        try:
            item = await turn.memory.entries.read(turn.user_id, item_id)
        except NotFound:
            continue
        if item.deleted_at is None and item.superseded_by is None:
            found.append(item)
    return found


def listed(items: Sequence[KeptItem], wording: Wording, parts: Sequence[Part] = ()) -> str:
    """One in its quotes on the same line, several one to a line, the first LISTED of them; where
    only a part of one goes, that part and what stays."""
    cut = {
        each.item_id: wording.say("quoted_part", goes=each.goes, stays=each.stays) for each in parts
    }
    named = [
        cut[item.id] if item.id in cut else wording.say("quoted", words=item.content)
        for item in items
    ]
    if len(items) == 1:
        return named[0]
    lines = [f"- {each}" for each in named[:LISTED]]
    if len(items) > LISTED:
        lines.append("- " + wording.say("and_more", count=len(items) - LISTED))
    return "\n\n" + "\n".join(lines) + "\n"
