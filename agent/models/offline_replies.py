"""Everything the offline assistant can say. It quotes what was recalled and adds nothing."""

from __future__ import annotations

import re
from typing import Any

ABOUT = (
    "I am Keepsake's offline assistant: no model is configured, so I recall and quote, "
    "and do not make up answers. I keep what is worth keeping of what you tell me; ask me about "
    "it."
)
NOTHING = (
    "I have nothing about that in memory. Tell me, and I will know it. "
    "(I am the offline assistant: I answer only from what you told me.)"
)
UNAVAILABLE = "Memory did not answer just now, so I cannot say. Ask me again in a moment."
LIMIT = "That was more than memory is asked in a minute, so I did not look. Ask me again shortly."
NOTHING_TOLD = "Thank you for telling me."
OFF = "Memory is off here, so I did not look. Say “turn memory on”, and I will."
INCOGNITO = (
    "This conversation is incognito, so I did not look in memory. Say “end incognito”, and I will."
)

_GREETING = re.compile(
    r"^(hi|hello|hey|good (morning|afternoon|evening))\b[\s!.,]*(there)?[\s!.]*$", re.I
)
_THANKS = re.compile(r"^(thanks|thank you|thx|ok|okay|great|cool|bye|goodbye)\b[\s!.]*$", re.I)
_WHO = re.compile(r"^(who|what) are you\b|^what can you do\W*$|^help\W*$", re.I)
_SPEAKERS = {"user": "you", "assistant": "I"}
_WORDS = re.compile(r"[^\W_]+")


def small_talk(said: str) -> str | None:
    """The answer to a greeting, thanks or “who are you”; None where memory is to be asked."""
    said = said.strip()
    if _WHO.search(said):
        return ABOUT
    if _GREETING.match(said):
        return "Hello. Ask me about something you told me, or say “remember that …”."
    if _THANKS.match(said):
        return "You are welcome."
    return None


def recalled(result: dict[str, Any]) -> str:
    """The answer after `query_memory`: each memory quoted with its date, best first; where what was
    said was asked for, that first, and of the memories those that it does not hold."""
    memories, messages = result.get("memories", []), result.get("messages", [])
    why_not = _not_asked(result.get("metadata", {}))
    if why_not is not None:
        return why_not
    if messages:
        return _said(messages, memories)
    if not memories:
        return UNAVAILABLE if result.get("metadata", {}).get("messages_error") else NOTHING
    if len(memories) == 1:
        return f"Based on what you told me ({memories[0]['context']}): “{memories[0]['content']}”"
    lines = [f"- “{memory['content']}” ({memory['context']})" for memory in memories]
    return "\n".join(["Based on what you told me:", "", *lines])


def _not_asked(metadata: dict[str, Any]) -> str | None:
    """Why memory has no answer at all; None where it was asked."""
    if metadata.get("incognito"):
        return INCOGNITO
    if metadata.get("off"):
        return OFF
    if metadata.get("rate_limited"):
        return LIMIT
    return UNAVAILABLE if metadata.get("error") else None


def _said(messages: list[dict[str, Any]], memories: list[dict[str, Any]]) -> str:
    """“On 3 May 2026 you said: …”, one line for each."""
    lines = [_told(message) for message in messages]
    words = [_bare(message["content"]) for message in messages]
    lines += [
        f"“{memory['content']}” ({memory['context']})"
        for memory in memories
        if not any(_bare(memory["content"]) in said for said in words)
    ]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _told(message: dict[str, Any]) -> str:
    who = _SPEAKERS[message["said_by"]]
    day = message["context"].removeprefix("said on ")
    line = f"On {day} {who} said: “{message['content']}”"
    before = message.get("before") or ""
    if not before.endswith("?"):
        return line
    asker, _, question = before.partition(": ")
    return f"{line} ({_SPEAKERS[asker]} had asked: “{question}”)"


def _bare(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
