"""Why a memory is there: where it comes from, as what it was heard, what it replaced, and what was
done with it since."""

from __future__ import annotations

from collections.abc import Sequence

from agent.wording.wording import Wording
from memory.controls.readable import audit_lines
from memory.models import KeptItem
from memory.store.audit import AuditEntry
from memory.store.memories.details import Details


def reason_lines(details: Details, history: Sequence[AuditEntry], wording: Wording) -> list[str]:
    """The memory with its day, then a line for each of what is known of it; those of the log, which
    hold no words of it, are in English."""
    item = details.item
    how = "why_asked" if item.manually_saved else "why_learned"
    first = wording.say(how, content=item.content, day=wording.day(item.created_at.astimezone()))
    lines = [*_heard_lines(item, wording), *_replaced_lines(details, wording)]
    return [first, *(f"- {line}" for line in [*lines, *audit_lines(history)])]


def _heard_lines(item: KeptItem, wording: Wording) -> list[str]:
    lines = [] if item.heard is None else [wording.heard(item.heard)]
    if item.repeat_count:
        times = wording.counted("time", item.repeat_count)
        lines.append(wording.say("said_again", times=times))
    return lines


def _replaced_lines(details: Details, wording: Wording) -> list[str]:
    lines = [wording.say("took_the_place_of", older=each.content) for each in details.older]
    if details.replaced_by is not None:
        lines.append(wording.say("was_replaced_by", newer=details.replaced_by.content))
    return lines
