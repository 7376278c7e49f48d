"""What the offline assistant says. It quotes what was recalled and adds nothing."""

from __future__ import annotations

import re
from typing import Any

from agent.wording.wording import IN_ENGLISH, Wording

_GREETING = re.compile(
    r"^(hi|hello|hey|good (morning|afternoon|evening))\b[\s!.,]*(there)?[\s!.]*$", re.I
)
_THANKS = re.compile(r"^(thanks|thank you|thx|ok|okay|great|cool|bye|goodbye)\b[\s!.]*$", re.I)
_WHO = re.compile(r"^(who|what) are you\b|^what can you do\W*$|^help\W*$", re.I)
# As `memory.recall.shown.context` begins each part of what it tells of a memory.
_CONTEXT = {"of ": "of_day", "kept on ": "kept_on", "since replaced": "since_replaced"}
_WORDS = re.compile(r"[^\W_]+")


def small_talk(said: str, wording: Wording = IN_ENGLISH) -> str | None:
    """The answer to a greeting, thanks or “who are you”; None where memory is to be asked."""
    said = said.strip()
    if _WHO.search(said):
        return wording.say("about_me")
    if _GREETING.match(said):
        return wording.say("greeting")
    return wording.say("welcome") if _THANKS.match(said) else None


def recalled(result: dict[str, Any], wording: Wording) -> str:
    """The answer after `query_memory`: each memory quoted with its date, best first; where what was
    said was asked for, that first, and of the memories those that it does not hold."""
    memories, messages = result.get("memories", []), result.get("messages", [])
    metadata = result.get("metadata", {})
    why_not = _not_asked(metadata)
    if why_not is None and not memories and not messages:
        why_not = "memory_did_not_answer" if metadata.get("messages_error") else "nothing_found"
    if why_not is not None:
        return wording.say(why_not)
    if messages:
        return _said(messages, memories, wording)
    if len(memories) == 1:
        return _quoted("one_answer", memories[0], wording)
    lines = [f"- {_quoted('answer_line', memory, wording)}" for memory in memories]
    return "\n".join([wording.say("answers"), "", *lines])


def _not_asked(metadata: dict[str, Any]) -> str | None:
    """Why memory has no answer at all; None where it was asked."""
    if metadata.get("incognito"):
        return "did_not_look_incognito"
    if metadata.get("off"):
        return "did_not_look_off"
    if metadata.get("rate_limited"):
        return "too_many_questions"
    return "memory_did_not_answer" if metadata.get("error") else None


def _quoted(name: str, memory: dict[str, Any], wording: Wording) -> str:
    return wording.say(
        name, content=memory["content"], context=_context(memory["context"], wording)
    )


def _context(told: str, wording: Wording) -> str:
    """When a memory is of, which the tool says in English."""
    return ", ".join(_part_of_context(each, wording) for each in told.split(", "))


def _part_of_context(told: str, wording: Wording) -> str:
    for start, name in _CONTEXT.items():
        if told.startswith(start):
            return wording.say(name, day=wording.days_in(told.removeprefix(start)))
    return told


def _said(messages: list[dict[str, Any]], memories: list[dict[str, Any]], wording: Wording) -> str:
    """“On 3 May 2026 you said: …”, one line for each."""
    lines = [_told(message, wording) for message in messages]
    words = [_bare(message["content"]) for message in messages]
    lines += [
        _quoted("answer_line", memory, wording)
        for memory in memories
        if not any(_bare(memory["content"]) in said for said in words)
    ]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _told(message: dict[str, Any], wording: Wording) -> str:
    day = wording.days_in(message["context"].removeprefix("said on "))
    said = "you_said" if message["said_by"] == "user" else "i_said"
    line = wording.say(said, day=day, content=message["content"])
    before = message.get("before") or ""
    if not before.endswith("?"):
        return line
    asker, _, question = before.partition(": ")
    asked = "you_had_asked" if asker == "user" else "i_had_asked"
    return wording.say(asked, line=line, question=question)


def _bare(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
