"""Showing what is known, and why."""

from __future__ import annotations

from agent.commands.command import Command
from agent.commands.explaining import asks_for_answer, explain
from agent.commands.reasons import reason_lines
from agent.commands.which import listed, meant, named
from agent.explanation import (
    NOT_LOOKED,
    NOTHING_USED,
    Explanation,
    found_line,
    unused_line,
)
from agent.turn.context import TurnContext
from memory.controls.readable import audit_lines, summary_text
from memory.models import KeptItem

AUDITED = 20
EXPLAINED = 5


async def list_all(_command: Command, turn: TurnContext) -> str:
    """A readable summary by bank."""
    summary = await turn.memory.entries.summary(turn.user_id, turn.space)
    return summary_text(summary) or turn.say("nothing_is_known")


async def about(command: Command, turn: TurnContext) -> str:
    words = command.about or command.said or ""
    items = await turn.memory.entries.about(turn.user_id, turn.space, words) if words else []
    items = items or await named(command, turn)
    if not items:
        return turn.say("nothing_in_memory_about", about=words)
    turn.dialogue.mention([item.id for item in items])
    return turn.say("this_is_known", memories=listed(items, turn.wording))


async def why(command: Command, turn: TurnContext) -> str:
    """Where each memory that is meant comes from; of the last answer also how its memories were
    found and what was left out."""
    answered = asks_for_answer(command, turn)
    spoken_of = await named(command, turn)
    if answered is not None and {each.id for each in spoken_of} <= set(answered.ids):
        turn.explained = await explain(answered, turn)
        return "\n".join(await _why_answered(turn.explained, turn))
    items = await meant(command, turn)
    if not items:
        return turn.say("no_memory_is_meant")
    lines = []
    for item in items[:EXPLAINED]:
        lines += await _reasons(item, turn)
    return "\n".join(lines)


async def audit(_command: Command, turn: TurnContext) -> str:
    entries = await turn.memory.audit.read(turn.user_id, AUDITED)
    return "\n".join(audit_lines(entries)) or turn.say("nothing_was_done")


async def export(_command: Command, turn: TurnContext) -> str:
    return turn.say("how_to_export")


async def import_(_command: Command, turn: TurnContext) -> str:
    return turn.say("how_to_import")


async def _why_answered(explained: Explanation, turn: TurnContext) -> list[str]:
    if not explained.looked:
        return [NOT_LOOKED]
    lines = [] if explained.used else [NOTHING_USED]
    for each in explained.used[:EXPLAINED]:
        lines += await _reasons(each.item, turn)
        lines.append(f"- {found_line(each.relevance, each.why)}")
    left_out = unused_line(explained)
    return [*lines, left_out] if left_out else lines


async def _reasons(item: KeptItem, turn: TurnContext) -> list[str]:
    details = await turn.memory.entries.details(turn.user_id, item.id)
    history = await turn.memory.audit.of_item(turn.user_id, item.id)
    return reason_lines(details, history, turn.wording)
