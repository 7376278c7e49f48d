"""Taking back the last turn: “retry” and “edit last message”.

In this order: the new message is stored in the place of both old ones, in one transaction; then
what was learned from the old ones alone is forgotten. So the user's words are there at every
moment, the old ones or the new, whatever fails. A crash between the two leaves memories of the old
message behind, which name no message any more; they are listed like any other, and can be
forgotten there. What the old turn did by command (forgetting, pinning, a setting) stays done.
"""

from __future__ import annotations

import structlog

from agent.talks.dialogue import Dialogue
from agent.turn.turn import Turn
from memory.errors import KeepsakeError
from memory.models import KeptItem

_log = structlog.get_logger(__name__)


async def unlearn(turn: Turn) -> None:
    """Forgets what the turn taught in whose place this one is. Where that fails, the turn goes on,
    and its notices say so."""
    taken, context = turn.session.taken_back, turn.context
    if taken is None:
        return
    gone: list[KeptItem] = []
    try:
        if context.dialogue.privacy == "normal":
            gone = await context.memory.taking_back.unlearn(context.user_id, taken, context.origin)
    except KeepsakeError as error:
        _log.error("not_unlearned", reason=type(error).__name__)
        context.still_known = True
    context.forgotten += gone
    _start_over(context.dialogue, gone)


def _start_over(dialogue: Dialogue, gone: list[KeptItem]) -> None:
    """“That” means nothing of the turn that is gone."""
    ids = {each.id for each in gone}
    dialogue.mention(())
    dialogue.answered, dialogue.replaced = None, ()
    dialogue.noticed = [
        news for news in dialogue.noticed if news.outcome is None or news.outcome.item.id not in ids
    ]
