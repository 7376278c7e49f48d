"""Which memories a command means, and what is shown of them: what is known, and why the last
answer says what it says."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from agent.commands.parser import MEMORY_NUMBER, Command
from agent.conversations.state import Choice, WhichQuestion
from agent.explanation import (
    NOT_LOOKED,
    NOTHING_USED,
    AnswerBasis,
    Explanation,
    UnusedMemory,
    UsedMemory,
    cut_reason,
    found_line,
    unused_line,
)
from agent.turn.context import TurnContext
from memory.actions.presentation import audit_lines, reason_lines, summary_text
from memory.errors import NotFound
from memory.store.forgetting import PartialForgetting
from memory.types import StoredMemory

SHOWN_UNUSED = 10


def last_answer_if_meant(command: Command, turn: TurnContext) -> AnswerBasis | None:
    """The last answer, where the command means it: it names nothing, and since then nothing was
    spoken of that is not in it."""
    answered = turn.dialogue.answered
    if answered is None or command.about is not None:
        return None
    return answered if set(turn.dialogue.mentioned) <= set(answered.ids) else None


async def explain(answered: AnswerBasis, turn: TurnContext) -> Explanation:
    """With the words that the memories have at this moment. Raises DatabaseUnavailable."""
    turn.dialogue.numbered = True
    used = [
        (number, each, await _read(each.id, turn))
        for number, each in enumerate(answered.rested, start=1)
    ]
    unused, more = await _unused(answered, turn)
    return Explanation(
        looked=answered.looked,
        used=tuple(
            UsedMemory(number, item, each.relevance, each.answers, each.why)
            for number, each, item in used
            if item is not None
        ),
        gone=sum(item is None for _, _, item in used),
        unused=unused,
        more=more,
        quoted=answered.quoted,
    )


async def memory_by_number(number: int, turn: TurnContext) -> list[StoredMemory]:
    """The memory of that number in the last explanation; none where there is none, or where the
    numbers were not shown since the last answer."""
    answered = turn.dialogue.answered if turn.dialogue.numbered else None
    ids = () if answered is None else answered.ids
    item = await _read(ids[number - 1], turn) if 1 <= number <= len(ids) else None
    return [] if item is None else [item]


async def _unused(answered: AnswerBasis, turn: TurnContext) -> tuple[tuple[UnusedMemory, ...], int]:
    """The first SHOWN_UNUSED that are still there, and how many come after them."""
    shown: list[UnusedMemory] = []
    left = list(enumerate(answered.unused, start=len(answered.rested) + 1))
    while left and len(shown) < SHOWN_UNUSED:
        number, each = left.pop(0)
        item = await _read(each.id, turn)
        if item is not None:
            reason = cut_reason(each.cut, answered.min_relevance)
            shown.append(UnusedMemory(number, item, each.relevance, each.cut, reason))
    return tuple(shown), len(left)


async def _read(item_id: UUID, turn: TurnContext) -> StoredMemory | None:
    """None where it was forgotten. One that was replaced since is still explained."""
    try:
        item = await turn.memory.entries.read(turn.user_id, item_id)
    except NotFound:
        return None
    return item if item.deleted_at is None else None


NOTHING_MEANT = (
    "I do not know which memory you mean. Name it (“… about my sister”), or look at /memories."
)
NOTHING_KNOWN = "Nothing is remembered of you yet. Say “remember that …” to keep something."
ANSWER_FIRST = "Answer that first, then say the other again: “{said}”."
LISTED = 20


async def resolve_target(
    command: Command, turn: TurnContext, *, removed: bool = False
) -> list[StoredMemory]:
    """By its words, the best match first; by its number in what /why shows (“#2”); everything of
    the space; or what the last turn was about. With `removed` also what is out of recall and not
    forgotten."""
    entries = turn.memory.entries
    if command.item is not None:
        return await read_current([command.item], turn)
    if command.everything:
        return await entries.all(turn.user_id, turn.space, removed=removed)
    words = command.about
    if words is None:
        return await memories_named_in(command, turn) or await read_current(
            turn.dialogue.mentioned, turn
        )
    if number := MEMORY_NUMBER.fullmatch(words):
        return await memory_by_number(int(number[1]), turn)
    found = await entries.find_matching(turn.user_id, turn.space, words, removed=removed)
    return found or await memories_named_in(command, turn)


async def memories_named_in(command: Command, turn: TurnContext) -> list[StoredMemory]:
    """The memories of which a command that was said holds words, wherever in it they stand."""
    if command.said is None:
        return []
    return await turn.memory.entries.holding(turn.user_id, turn.space, command.said)


async def read_current(ids: Sequence[UUID], turn: TurnContext) -> list[StoredMemory]:
    """Those of the ids that are still there."""
    found = []
    for item_id in ids:
        try:
            item = await turn.memory.entries.read(turn.user_id, item_id)
        except NotFound:
            continue
        if item.deleted_at is None and item.superseded_by is None:
            found.append(item)
    return found


def format_memories(items: Sequence[StoredMemory], parts: Sequence[PartialForgetting] = ()) -> str:
    """One in its quotes on the same line, several one to a line, the first LISTED of them; where
    only a part of one goes, that part and what stays."""
    cut = {each.item_id: f"“…{each.goes}”; this stays: “{each.stays}”" for each in parts}
    named = [cut.get(item.id, f"“{item.content}”") for item in items]
    if len(items) == 1:
        return named[0]
    lines = [f"- {each}" for each in named[:LISTED]]
    if len(items) > LISTED:
        lines.append(f"- and {len(items) - LISTED} more")
    return "\n\n" + "\n".join(lines) + "\n"


def ask_which(command: Command, items: Sequence[StoredMemory], verb: str, turn: TurnContext) -> str:
    """Asks which of several memories is meant; the next message may answer."""
    if turn.question is not None:
        return ANSWER_FIRST.format(said=command.said or command.about)
    choices = tuple(Choice(str(each.id), each.content) for each in items[:LISTED])
    lines = [f"{number}. “{each.text}”" for number, each in enumerate(choices, start=1)]
    head = f"Which one shall I {verb}? Say its number or its words:"
    question = "\n\n".join([head, "\n".join(lines)])
    return turn.ask(WhichQuestion(command, choices=choices, text=question))


AUDITED = 20
EXPLAINED = 5
HOW_TO_EXPORT = (
    "In a terminal, /export FILE writes everything into that file as JSON, for you alone to read. "
    "On the page it is “Export”, under Memory, Settings."
)
HOW_TO_IMPORT = (
    "In a terminal, type /import FILE; on the page it is “Import”, under Memory, Settings. It "
    "takes an export of mine, or the memories of another assistant as plain lines."
)


async def list_all(_command: Command, turn: TurnContext) -> str:
    """A readable summary by bank."""
    summary = await turn.memory.entries.summary(turn.user_id, turn.space)
    return summary_text(summary) or NOTHING_KNOWN


async def about(command: Command, turn: TurnContext) -> str:
    words = command.about or command.said or ""
    items = await turn.memory.entries.about(turn.user_id, turn.space, words) if words else []
    items = items or await memories_named_in(command, turn)
    if not items:
        return f"I have nothing in memory about “{words}”."
    turn.dialogue.mention([item.id for item in items])
    return f"This is what I have: {format_memories(items)}"


async def why(command: Command, turn: TurnContext) -> str:
    """Where each memory that is meant comes from; of the last answer also how its memories were
    found and what was left out."""
    answered = last_answer_if_meant(command, turn)
    spoken_of = await memories_named_in(command, turn)
    if answered is not None and {each.id for each in spoken_of} <= set(answered.ids):
        turn.explained = await explain(answered, turn)
        return "\n".join(await _why_answered(turn.explained, turn))
    items = await resolve_target(command, turn)
    if not items:
        return NOTHING_MEANT
    lines = []
    for item in items[:EXPLAINED]:
        lines += await _reasons(item, turn)
    return "\n".join(lines)


async def audit(_command: Command, turn: TurnContext) -> str:
    entries = await turn.memory.audit.read(turn.user_id, AUDITED)
    return "\n".join(audit_lines(entries)) or "Nothing was done with your memory yet."


async def export(_command: Command, _turn: TurnContext) -> str:
    return HOW_TO_EXPORT


async def import_(_command: Command, _turn: TurnContext) -> str:
    return HOW_TO_IMPORT


async def _why_answered(explained: Explanation, turn: TurnContext) -> list[str]:
    if not explained.looked:
        return [NOT_LOOKED]
    lines = [] if explained.used else [NOTHING_USED]
    for each in explained.used[:EXPLAINED]:
        lines += await _reasons(each.item, turn)
        lines.append(f"- {found_line(each.relevance, each.answers, each.why)}")
    left_out = unused_line(explained)
    return [*lines, left_out] if left_out else lines


async def _reasons(item: StoredMemory, turn: TurnContext) -> list[str]:
    return reason_lines(item, await turn.memory.audit.of_item(turn.user_id, item.id))
