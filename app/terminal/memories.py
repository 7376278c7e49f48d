"""Memories as lines of text. Pure functions; `width` None cuts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agent.turn.events import TurnClosed
from app.terminal.plain import cut, one_line
from memory.models import KeptItem
from memory.recalls import MemoryItem


def closing_lines(closed: TurnClosed, width: int | None = None, said: str = "") -> list[str]:
    """What stands under an answer: the memories it used, what was kept unless the answer has
    `said` so, and notices."""
    lines = ["memories used:"] if closed.memories else []
    lines += [cut(_used(memory), width) for memory in closed.memories]
    kept = [item for item in closed.kept if item.content not in said]
    lines += [cut(f"kept: {one_line(item.content)}", width) for item in kept]
    return lines + [one_line(notice) for notice in closed.notices]


def listing(items: Sequence[KeptItem], width: int | None = None, looked_for: str = "") -> list[str]:
    """What is remembered, one line each, the newest first."""
    if not items and looked_for:
        return [f"Nothing that is remembered matches “{looked_for}”."]
    if not items:
        return ["Nothing is remembered yet. Tell me something about yourself."]
    return [
        cut(f"{day(item.created_at)}  {item.type:<10}  {one_line(item.content)}", width)
        for item in items
    ]


def day(moment: datetime) -> str:
    """The day it was where the reader is."""
    return moment.astimezone().date().isoformat()


def _used(memory: MemoryItem) -> str:
    percentage = f"{memory.relevance_score:.0%}"
    return f"  {percentage:>4}  {day(memory.created_at)}  {one_line(memory.content)}"
