"""What a person sets for a space once: redaction, whether conversations begin incognito, and how
much is told."""

from __future__ import annotations

from collections.abc import Mapping

from app.terminal.turns import Turns
from memory.errors import InvalidInput
from memory.models import Notices, Origin

_SWITCH = {"on": True, "off": False}
_NOTICES: Mapping[Notices, str] = {
    "all": "You are told of all that is noted, replaced or left out.",
    "changes": "You are told of what is replaced or left out, and no more of what is only noted.",
    "none": "You are not told what is noted, replaced or left out; questions are still asked.",
}


async def redact(words: str, turns: Turns, _width: int | None) -> list[str]:
    """Whether secrets are taken out of messages before they are stored; on by default."""
    wanted = _switch("/redact", words)
    await turns.keepsake.memory.modes.change(
        turns.user_id, turns.space, Origin("user"), redact_messages=wanted
    )
    if wanted:
        return ["Secrets are taken out of messages before they are stored."]
    return ["Messages are stored as you write them. Secrets still never become memories."]


async def private(words: str, turns: Turns, _width: int | None) -> list[str]:
    """Whether new conversations begin incognito."""
    wanted = _switch("/private", words)
    await turns.keepsake.memory.modes.change(
        turns.user_id, turns.space, Origin("user"), incognito_default=wanted
    )
    turns.carries_privacy = wanted
    begins = "incognito" if wanted else "as usual"
    return [f"New conversations in the space “{turns.space}” begin {begins}. /new begins one."]


async def notices(words: str, turns: Turns, _width: int | None) -> list[str]:
    """How much is told of what is learned."""
    wanted = next((each for each in _NOTICES if each == words.casefold()), None)
    if wanted is None:
        raise InvalidInput(reason="Say which: /notices all, /notices changes, or /notices none.")
    await turns.keepsake.memory.modes.change(
        turns.user_id, turns.space, Origin("user"), notices=wanted
    )
    return [_NOTICES[wanted]]


def _switch(command: str, words: str) -> bool:
    wanted = _SWITCH.get(words.casefold())
    if wanted is None:
        raise InvalidInput(reason=f"Say which: {command} on, or {command} off.")
    return wanted
