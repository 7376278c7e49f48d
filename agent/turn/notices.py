"""What a turn has to tell the user besides its reply."""

from __future__ import annotations

from agent.turn.context import TurnContext
from memory.secrets import find_secrets
from memory.store.modes import SpaceSettings

NOT_SAVED = "The database went away before this reply was saved; it will be saved when it is back."
RATE_LIMITED = "Memory was not asked: more questions in a minute than the limit allows."
NOT_DONE = "That was neither yes nor no, so nothing was changed. Say it again if you want it."
STILL_KNOWN = (
    "What was learned from the message before could not be forgotten just now; look for it."
)
NO_MEMORY = "Memory could not be read just now; this answer was made without it."


def notices_of(turn: TurnContext, stored: bool) -> list[str]:
    """Of the turn's recalls, and of its reply where that is not stored."""
    notices = []
    if turn.dialogue.unanswered:
        notices.append(NOT_DONE)
    if any(response.rate_limited for response in turn.recalls):
        notices.append(RATE_LIMITED)
    if any(response.error for response in turn.recalls):
        notices.append(NO_MEMORY)
    if turn.still_known:
        notices.append(STILL_KNOWN)
    if not stored:
        notices.append(NOT_SAVED)
    return notices


def secret_notices(text: str, known: SpaceSettings) -> list[str]:
    """One sentence where the message held a secret."""
    kinds = sorted({secret.kind for secret in find_secrets(text)})
    if not kinds:
        return []
    names = ", ".join(kinds)
    where = "was not stored" if known.redact_messages else "was not kept in memory"
    return [f"Your message held a secret ({names}), which {where}."]
