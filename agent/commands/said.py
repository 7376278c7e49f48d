"""What was said and is to be forgotten, as it is found by a command and shown to the user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.commands.command import Command
from agent.turn.context import TurnContext
from agent.wording.wording import Wording
from memory.controls.passages import Going
from memory.controls.said import Found
from memory.models import KeptItem
from memory.secrets import redact
from memory.write.normalise import normalise

SHOWN = 5
# Characters of each.
MOST_CHARS = 160
_NUMBER = re.compile(r"#\d{1,3}")
_SPEAKERS = {"user": "you", "assistant": "i"}


async def said_about(
    command: Command, items: Sequence[KeptItem], turn: TurnContext
) -> Found | None:
    """What was said about what the command names; None where it names nothing, or a number. This
    turn is left out."""
    if command.about is None or command.everything or _NUMBER.fullmatch(command.about):
        return None
    return await turn.memory.forgetting.said.find(
        turn.user_id,
        turn.space,
        command.about,
        known=[item.content for item in items],
        not_turn=turn.correlation_id,
    )


def listed_said(found: Found, wording: Wording, *, beside: bool) -> str:
    """The sentences that would go, the user's first and the newest first, each wording once: the
    first SHOWN, and how many more. `beside` memories that go too."""
    quotes = list(_quotes(found))
    lines = [_line(going, words, wording) for going, words in quotes[:SHOWN]]
    if len(quotes) > SHOWN:
        lines.append("- " + wording.say("and_more", count=len(quotes) - SHOWN))
    head = wording.say("said_will_go_too" if beside else "said_will_go")
    return "\n\n".join([head, "\n".join(lines)])


def words_of(found: Found) -> list[str]:
    """Every sentence of it that the user said."""
    return [
        words for going in found.telling if going.message.role == "user" for words in going.passages
    ]


def _quotes(found: Found) -> Iterator[tuple[Going, str]]:
    by_newest = sorted(found.telling, key=lambda each: each.message.created_at, reverse=True)
    said = set[str]()
    for going in sorted(by_newest, key=lambda each: each.message.role != "user"):
        for words in going.passages:
            if normalise(words) not in said:
                said.add(normalise(words))
                yield going, words


def _line(going: Going, words: str, wording: Wording) -> str:
    message = going.message
    named = _SPEAKERS.get(message.role)
    line = wording.say(
        "said_line",
        day=wording.day(message.created_at.astimezone()),
        who=message.role if named is None else wording.say(named),
        words=_cut(redact(words)),
    )
    return f"- {line}"


def _cut(words: str) -> str:
    words = " ".join(words.split())
    if len(words) <= MOST_CHARS:
        return words
    return f"{words[:MOST_CHARS].rsplit(' ', 1)[0]} …"
