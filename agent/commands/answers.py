"""A yes or no to what Keepsake asked."""

from __future__ import annotations

import structlog

from agent.commands.forgetting import erase, let_go
from agent.context import TurnContext
from agent.dialogue import AskedToErase, AskedToForget, AskedWhichHolds, Question
from memory.errors import KeepsakeError
from memory.store.forgetting import History

_log = structlog.get_logger(__name__)


async def answer_question(
    question: Question, yes: bool, history: History, turn: TurnContext
) -> str:
    """Does what was asked about, or leaves it, and says so. `history` is what becomes of the
    conversations of what is forgotten."""
    try:
        return await _answer(question, yes, history, turn)
    except KeepsakeError as error:
        _log.warning("not_obeyed", question=type(question).__name__, reason=type(error).__name__)
        return str(error)


async def _answer(question: Question, yes: bool, history: History, turn: TurnContext) -> str:
    match question:
        case AskedWhichHolds(doubt_id):
            await turn.memory.doubts.answer(
                turn.user_id, doubt_id, replaced=yes, origin=turn.origin
            )
            return "The new one holds from now on." if yes else "Both are kept."
        case _ if not yes:
            return "All right, nothing is changed."
        case AskedToForget():
            return await let_go(question, turn, history)
        case AskedToErase():
            return await erase(turn)
