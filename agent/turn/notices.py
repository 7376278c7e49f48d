"""What a turn has to tell the user besides its reply."""

from __future__ import annotations

from agent.turn.context import TurnContext
from agent.turn.heard import Heard
from agent.wording.wording import IN_ENGLISH, Wording
from memory.store.modes import SpaceSettings
from memory.text import MOST_READ


def notices_of(turn: TurnContext, stored: bool) -> list[str]:
    """Of the turn's recalls, and of its reply where that is not stored."""
    notices = []
    if turn.off_the_record and not turn.unkept:
        notices.append("left_out")
    if turn.dialogue.unanswered:
        notices.append("neither_yes_nor_no")
    if any(response.rate_limited for response in turn.recalls):
        notices.append("asked_too_often")
    if any(response.error for response in turn.recalls):
        notices.append("memory_not_read")
    if turn.still_known:
        notices.append("still_known")
    if not stored:
        notices.append("reply_not_saved")
    part = [turn.say("left_out_part", words=turn.unkept)] if turn.unkept else []
    return [*part, *(turn.say(each) for each in notices)]


def notices_of_message(
    heard: Heard, known: SpaceSettings, wording: Wording = IN_ENGLISH
) -> list[str]:
    """Of the message itself: where it held a secret, and where it was too long to be read whole."""
    notices = []
    if not heard.whole:
        notices.append(wording.say("read_in_part", characters=f"{MOST_READ:,}"))
    if heard.secrets and known.notices != "none":
        name = "secret_not_stored" if known.redact_messages else "secret_not_kept"
        kinds = ", ".join(wording.secret(each) for each in sorted(heard.secrets))
        notices.append(wording.say(name, kinds=kinds))
    return notices
