"""What a turn has to tell the user besides its reply."""

from __future__ import annotations

from agent.commands.parser import ReceivedMessage
from agent.conversations.state import ConversationState
from agent.turn.context import TurnContext
from memory.circuit_breaker import CircuitBreakers, Dependency
from memory.text import MAX_READ_CHARS
from memory.types import MemoryMode, Privacy

NOT_SAVED = "The database went away before this reply was saved; it will be saved when it is back."
RATE_LIMITED = "Memory was not asked: more questions in a minute than the limit allows."
STOPPED = (
    "Everything of yours is being erased, so this reply was stopped, and nothing of it is kept."
)
NOT_DONE = (
    "That was no answer to the question, so nothing was changed. Say it again if you want it."
)
STILL_KNOWN = (
    "What was learned from the message before could not be forgotten just now; look for it."
)
READ_IN_PART = (
    f"Only the first {MAX_READ_CHARS:,} characters of your message were read: nothing is learned "
    "from the rest, and no command found in it. Send it in parts, if that matters."
)
NOT_KEPT = (
    "Not kept: I keep nothing of that message, and what I knew before stays. Say “remember it "
    "anyway” if I should keep it; to forget something that I know, name it (“forget about …”)."
)
PART_NOT_KEPT = (
    "Not kept: “{words}”. Say “remember it anyway” if I should keep that; to forget something that "
    "I know, name it (“forget about …”)."
)
KEEP_ANYWAY = " If it is none, say “keep it anyway”."
_TURN_ON = "Say “turn memory on” to change that."
NOTHING_KEPT = {
    "off": f"Nothing of that is kept: memory is off here. {_TURN_ON}",
    "read_only": f"Nothing of that is kept: memory is read-only here. {_TURN_ON}",
    "incognito": "Nothing of that is kept: this conversation is incognito.",
}
NO_MEMORY = "Memory could not be read just now; this answer was made without it."


def turn_notices(turn: TurnContext, stored: bool) -> list[str]:
    """Of the turn's recalls, and of its reply where that is not stored."""
    notices = []
    if turn.off_the_record:
        words = " ".join(turn.unkept)
        notices.append(PART_NOT_KEPT.format(words=words) if words else NOT_KEPT)
    if turn.dialogue.unanswered:
        notices.append(NOT_DONE)
    if any(response.rate_limited for response in turn.recalls.values()):
        notices.append(RATE_LIMITED)
    if any(response.error for response in turn.recalls.values()):
        notices.append(NO_MEMORY)
    if turn.unlearning_failed:
        notices.append(STILL_KNOWN)
    if not stored:
        notices.append(NOT_SAVED)
    return notices


def kept_notices(privacy: Privacy, mode: MemoryMode) -> list[str]:
    """Of a message that tells something: why it is not kept, where it is not."""
    why = mode if privacy == "normal" else "incognito"
    return [NOTHING_KEPT[why]] if why in NOTHING_KEPT else []


def message_notices(
    heard: ReceivedMessage, *, redacted: bool, offers_anyway: bool = False
) -> list[str]:
    """Of the message itself: where it held a secret, which is stored unless `redacted`, and where
    it was too long to be read whole."""
    notices = [] if heard.whole else [READ_IN_PART]
    if heard.secrets:
        names = ", ".join(sorted(heard.secrets))
        where = "was not stored" if redacted else "was not kept in memory"
        anyway = KEEP_ANYWAY if offers_anyway else ""
        notices.append(f"Your message held a secret ({names}), which {where}.{anyway}")
    return notices


DEGRADED_SENTENCES: dict[Dependency, str] = {
    "embedder": "Memory is degraded: the embedding model does not answer, so memories are found by "
    "their words alone. It is tried again by itself.",
    "extraction": "Memory is degraded: the model that learns from messages does not answer, so "
    "they are read without it. It is tried again by itself.",
    "redis": "Memory is degraded: Redis cannot be reached, so it is slower. Redis is tried "
    "again by itself.",
}
WHOLE_AGAIN = "Memory works in full again."


def degraded_notices(guards: CircuitBreakers, dialogue: ConversationState) -> list[str]:
    """What has not been said in this conversation yet of what is left alone now, and that all is
    well again, after something else was said. The model's own failure is what the reply says."""
    now = guards.open() & DEGRADED_SENTENCES.keys()
    fresh = sorted(now - dialogue.degraded)
    ended = bool(dialogue.degraded) and not now
    dialogue.degraded = frozenset(now)
    return [WHOLE_AGAIN] if ended else [DEGRADED_SENTENCES[each] for each in fresh]
