"""Learning from a turn behind its reply, and what it came to, for whoever shows the turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import structlog

from agent.talks.dialogue import AskedWhichHolds, News
from agent.turn.background import Background
from agent.turn.context import TurnContext
from agent.wording.wording import IN_ENGLISH, Wording
from memory.errors import RecentlyForgotten
from memory.models import KeptItem, NewItem, Origin, Outcome
from memory.write.candidates import Said

_log = structlog.get_logger(__name__)


class Learning:
    """One task for each turn; a conversation's next command waits for it, so that “forget that”
    also reaches what is being learned at that moment."""

    def __init__(self, background: Background, timeout: float) -> None:
        self._background = background
        self._timeout = timeout
        self._under_way: dict[tuple[str, UUID], asyncio.Task[None]] = {}

    def begin(self, turn: TurnContext, said: Said) -> None:
        """Looks at what was said as soon as the loop is free."""
        key = (turn.user_id, turn.conversation_id)
        task = self._background.own(self._learn(turn, said, self._under_way.get(key)))
        self._under_way[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))

    async def settle(self, user_id: str, conversation_id: UUID, seconds: float) -> None:
        """Waits until the conversation's turns are learned from, at most `seconds`."""
        task = self._under_way.get((user_id, conversation_id))
        if task is not None:
            await asyncio.wait([task], timeout=seconds)

    async def settle_user(self, user_id: str, seconds: float) -> None:
        """The same for all conversations of a user."""
        tasks = [task for (owner, _), task in self._under_way.items() if owner == user_id]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def _learn(
        self, turn: TurnContext, said: Said, earlier: asyncio.Task[None] | None
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
                    on_forgotten=partial(_not_noted, turn),
                )
        except Exception as error:  # the message waits to be learned from later
            _log.error("not_learned", reason=type(error).__name__)
            return
        _notice(turn, outcomes)

    def _ended(self, key: tuple[str, UUID], task: asyncio.Task[None]) -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]


def _notice(turn: TurnContext, outcomes: Sequence[Outcome]) -> None:
    """Leaves what was learned to be told; “that” means it from now on."""
    dialogue = turn.dialogue
    replaced = tuple(
        older.id for each in outcomes if each.kind == "replaced" for older in each.older
    )
    if outcomes:
        dialogue.replaced = replaced
        dialogue.mention([outcome.item.id for outcome in outcomes])
    news = [each for outcome in outcomes for each in news_of(outcome, dialogue.wording)]
    dialogue.noticed += [each for each in news if each.is_told(turn.notices)]


def _not_noted(turn: TurnContext, item: NewItem, refusal: RecentlyForgotten) -> None:
    """“Remember it anyway” then keeps it."""
    turn.dialogue.refused = item
    reason = turn.wording.error(refusal)
    news = News(turn.say("not_noted", content=item.content, reason=reason), "left_out")
    if news.is_told(turn.notices):
        turn.dialogue.noticed.append(news)


def news_of(outcome: Outcome, wording: Wording) -> list[News]:
    """What the user is told of it, and asked; a repeat is no news."""
    new = outcome.item.content
    noted = News(wording.say("noted", content=new), "noted", outcome=outcome)
    match outcome.kind:
        case "kept":
            return [noted]
        case "replaced":
            older = "; ".join(item.content for item in outcome.older)
            said = wording.say("noted_instead", content=new, older=older)
            return [News(said, "replaced", outcome=outcome)]
        case "doubtful":
            doubts = zip(outcome.older, outcome.doubt_ids, strict=True)
            return [noted, *(_asked(*each, outcome, wording) for each in doubts)]
        case "repeated":
            return []


def _asked(older: KeptItem, doubt_id: UUID, outcome: Outcome, wording: Wording) -> News:
    question = which_holds(older.content, outcome.item.content, wording)
    return News(question, "asked", AskedWhichHolds(doubt_id), outcome)


def which_holds(older: str, newer: str, wording: Wording = IN_ENGLISH) -> str:
    """The question that a doubt asks."""
    return wording.say("which_holds", older=older, newer=newer)
