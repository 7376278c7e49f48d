"""The same answers as lines, for the models that are given text alone. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from agent.wording.wording import IN_ENGLISH
from app.mcp.shapes import (
    Changed,
    Entry,
    Forgotten,
    Found,
    Listed,
    Remembered,
    SearchResult,
    Summarised,
)
from memory.dates.periods import day_name

NO_ANSWER = "Memory did not answer. That does not mean that nothing is remembered."
TOO_OFTEN = "Memory was asked too often in the last minute. Ask again later."
OFF = "The user has switched memory off, so nothing is read from it."
NOTHING_FOUND = "Nothing is remembered about that."
NOTHING_KNOWN = "Nothing is remembered of the user yet."
WITHHELD = "(withheld: it reads like an order to an assistant)"


def search_text(result: SearchResult) -> str:
    flags = ((result.error, NO_ANSWER), (result.rate_limited, TOO_OFTEN), (result.off, OFF))
    for raised, said in flags:
        if raised:
            return said
    if not result.memories:
        return NOTHING_FOUND
    more = ["There is more; ask a narrower question."] if result.truncated else []
    return "\n".join([result.notice, *map(_found_line, result.memories), *more])


def remembered_text(told: Remembered) -> str:
    older = _lines(told.older)
    match told.outcome:
        case "kept":
            return f"Kept: {_line(told.entry)}{_heard(told.entry)}"
        case "repeated":
            return f"Known already: {_line(told.entry)}"
        case "replaced":
            return f"Kept: {_line(told.entry)}{_heard(told.entry)}\nIt takes the place of:\n{older}"
        case "doubtful":
            return (
                f"Kept: {_line(told.entry)}\nIt may contradict:\n{older}\n"
                "Ask the user which of them holds, and forget the one that does not."
            )


def forgotten_text(told: Forgotten) -> str:
    if not told.done:
        return f"This would be forgotten:\n{_lines(told.memories)}\nNothing was changed yet."
    return f"Forgotten:\n{_lines(told.memories)}\nFor a day `restore_memory` brings it back."


def restored_text(told: Changed) -> str:
    return f"It is there: {_line(told.entry)}"


def pinned_text(told: Changed) -> str:
    said = "Pinned, so it is never trimmed" if told.entry.pinned else "No longer pinned"
    return f"{said}: {_line(told.entry)}"


def listed_text(page: Listed) -> str:
    if not page.memories:
        return NOTHING_FOUND
    more = [] if page.next is None else [f"There is more: cursor {page.next}"]
    return "\n".join([page.notice, _lines(page.memories), *more])


def summarised_text(summary: Summarised) -> str:
    if not summary.banks:
        return NOTHING_KNOWN
    lines = [summary.notice]
    for bank in summary.banks:
        pinned = f", {bank.pinned} pinned" if bank.pinned else ""
        lines += [f"{_quoted(bank.bank)} ({bank.count}{pinned})", _lines(bank.most_important)]
    return "\n".join(lines)


def _found_line(found: Found) -> str:
    about = f"{found.type}, {found.dated}, relevance {found.relevance:.2f}"
    return f"- {_quoted(found.text)} ({about}, id {found.id})"


def _lines(entries: Iterable[Entry]) -> str:
    return "\n".join(f"- {_line(entry)}" for entry in entries)


def _line(entry: Entry) -> str:
    text = WITHHELD if entry.text is None else _quoted(entry.text)
    about = [entry.type, f"kept on {_day(entry.created_at)}"]
    if entry.occurred_at is not None:
        about.insert(1, f"of {_day(entry.occurred_at)}")
    if entry.replaced_by is not None:
        about.append("since replaced")
    if entry.pinned:
        about.append("pinned")
    return f"{text} ({', '.join(about)}, id {entry.id})"


def _heard(entry: Entry) -> str:
    """As what it was heard, on a line of its own; empty where nothing read it."""
    return "" if entry.heard is None else f"\n{IN_ENGLISH.heard(entry.heard).capitalize()}."


def _quoted(text: str) -> str:
    """As a JSON string: it stays on its line, and closes neither its quotes nor a tag."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.replace("<", "\\u003c").replace(">", "\\u003e")


def _day(moment: datetime) -> str:
    return day_name(moment.astimezone())
