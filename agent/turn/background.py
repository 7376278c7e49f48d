"""What goes on behind the replies, and is waited for when the program ends: tasks, and learning
from each turn."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import structlog

from agent.conversations.state import ConversationState, PendingNotice, ReplacementQuestion
from agent.turn.context import TurnContext
from memory.errors import RecentlyForgotten
from memory.ingestion.extraction import ExtractionInput
from memory.types import NewMemory, Origin, SaveOutcome

CLOSE_TIMEOUT = 10.0
Result = TypeVar("Result")
_log = structlog.get_logger(__name__)


class BackgroundTasks:
    """Tasks that outlive the turn which began them, but not the program."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def own(self, work: Coroutine[None, None, Result]) -> asyncio.Task[Result]:
        """Begins the work at once. Where it fails, that is logged: nobody may be waiting for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def aclose(self) -> None:
        """Waits CLOSE_TIMEOUT seconds for what is under way, then cancels the rest."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        late = list(self._tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Logs no message of an error, which could quote what was said."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            *_, frame = traceback.extract_tb(error.__traceback__)
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            _log.error("background_failed", reason=type(error).__name__, place=place)


HOW_TO_SAY = "Say yes or no; or “the old one”, if the new one is wrong."


class LearningTasks:
    """One task for each turn; a conversation's next command waits for it, so that “forget that”
    also reaches what is being learned at that moment."""

    def __init__(self, background: BackgroundTasks, timeout: float) -> None:
        self._background = background
        self._timeout = timeout
        self._under_way: dict[asyncio.Task[None], tuple[str, UUID]] = {}

    def begin(self, turn: TurnContext, said: ExtractionInput) -> None:
        """Looks at what was said as soon as the loop is free."""
        key = (turn.user_id, turn.conversation_id)
        task = self._background.own(self._learn(turn, said, self._newest(key)))
        self._under_way[task] = key
        task.add_done_callback(self._under_way.pop)

    async def settle(self, user_id: str, conversation_id: UUID, seconds: float) -> None:
        """Waits until the conversation's turns are learned from, at most `seconds`."""
        task = self._newest((user_id, conversation_id))
        if task is not None:
            await asyncio.wait([task], timeout=seconds)

    async def cancel_user(self, user_id: str) -> None:
        """Ends it in all conversations of a user; nothing is learned any more from their turns."""
        tasks = [task for task, (owner, _) in self._under_way.items() if owner == user_id]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _newest(self, key: tuple[str, UUID]) -> asyncio.Task[None] | None:
        """Of the turns of a conversation; the ones before it are waited for by it."""
        return next((task for task, each in reversed(self._under_way.items()) if each == key), None)

    async def _learn(
        self, turn: TurnContext, said: ExtractionInput, earlier: asyncio.Task[None] | None
    ) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        origin = Origin("learning", turn.correlation_id)
        recalled = [item.content for item in turn.recalled]
        recalled += [item.content for item in turn.recalled_messages]
        try:
            async with asyncio.timeout(self._timeout):
                outcomes = await turn.memory.learn(
                    turn.user_id,
                    turn.space,
                    said,
                    origin=origin,
                    recalled=recalled,
                    on_forgotten=partial(_not_noted, turn.dialogue),
                    claim=turn.claim,
                )
        except Exception as error:  # the message waits to be learned from later
            _log.error("not_learned", reason=type(error).__name__)
            if turn.claim is not None:
                await turn.memory.learner.release(turn.user_id, turn.claim)
            return
        _notice(turn.dialogue, outcomes)


def _notice(dialogue: ConversationState, outcomes: Sequence[SaveOutcome]) -> None:
    """Leaves what was learned to be told; “that” means it from now on."""
    replaced = tuple(
        older.id for each in outcomes if each.kind == "replaced" for older in each.older
    )
    if outcomes:
        dialogue.replaced = replaced
        dialogue.mention([outcome.item.id for outcome in outcomes])
    for outcome in outcomes:
        told = make_learned_notices(outcome)
        dialogue.noticed += [replace(news, outcome=outcome) for news in told[:1]] + told[1:]


def _not_noted(dialogue: ConversationState, item: NewMemory, refusal: RecentlyForgotten) -> None:
    """“Remember it anyway” then keeps it."""
    dialogue.refused = item
    dialogue.noticed.append(PendingNotice(f"not noted: {item.content}. {refusal}"))


def make_learned_notices(outcome: SaveOutcome) -> list[PendingNotice]:
    """What the user is told of it, and asked; a repeat is no news."""
    noted = f"noted: {outcome.item.content}"
    match outcome.kind:
        case "kept":
            return [PendingNotice(noted)]
        case "replaced":
            older = "; ".join(item.content for item in outcome.older)
            return [PendingNotice(f"{noted} (before: {older})")]
        case "doubtful":
            doubts = zip(outcome.older, outcome.doubt_ids, strict=True)
            new = outcome.item.content
            return [
                PendingNotice(noted),
                *(_asked(older.content, new, doubt) for older, doubt in doubts),
            ]
        case "repeated":
            return []


def _asked(older: str, newer: str, doubt_id: UUID) -> PendingNotice:
    question = conflict_question(older, newer)
    return PendingNotice(question, ReplacementQuestion(doubt_id, text=question))


def conflict_question(older: str, newer: str) -> str:
    """The question that a doubt asks."""
    return f"You told me before: “{older}”. Does “{newer}” replace it? {HOW_TO_SAY}"
