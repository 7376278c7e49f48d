"""The answer to what Keepsake asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from agent.commands.forgetting import erase, let_go
from agent.talks.dialogue import AskedToErase, AskedToForget, AskedWhichHolds, Question
from agent.turn.context import TurnContext
from memory.errors import KeepsakeError
from memory.store.forgetting.forgetting import History
from memory.store.memories.doubts import Holds

_SETTLED: Mapping[Holds, str] = {
    "newer": "the_newer_holds",
    "older": "the_older_holds",
    "both": "both_are_kept",
}
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Answer:
    """`older` says that of two memories the older one holds; `history` is what becomes of the
    conversations of what is forgotten."""

    yes: bool = False
    older: bool = False
    history: History = "redact"


async def answer_question(question: Question, answer: Answer, turn: TurnContext) -> str:
    """Does what was asked about, or leaves it, and says so."""
    try:
        return await _answer(question, answer, turn)
    except KeepsakeError as error:
        _log.warning("not_obeyed", question=type(question).__name__, reason=type(error).__name__)
        return turn.wording.error(error)


async def _answer(question: Question, answer: Answer, turn: TurnContext) -> str:
    match question:
        case AskedWhichHolds(doubt_id):
            holds: Holds = "older" if answer.older else "newer" if answer.yes else "both"
            outcome = await turn.memory.doubts.answer(
                turn.user_id, doubt_id, holds=holds, origin=turn.origin
            )
            turn.dialogue.replaced = tuple(each.id for each in outcome.older)
            return turn.say(_SETTLED[holds])
        case _ if not answer.yes:
            return turn.say("nothing_is_changed")
        case AskedToForget():
            return await let_go(question, turn, answer.history)
        case AskedToErase():
            return await erase(turn)
