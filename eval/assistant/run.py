"""Lives through every task with a fresh user: what is told in earlier conversations, learned as in
life, and then the task in a new one, incognito first and with memory after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.assistant import Assistant
from agent.models.judging import Judgement
from agent.turn.events import TextDelta, TurnClosed
from agent.wording.wording import IN_ENGLISH
from eval.assistant.rules import Reply, Verdict, judge
from eval.assistant.tasks import Task
from memory.errors import KeepsakeError
from memory.models import DEFAULT_SPACE
from memory.service import Memory

UNREAD = "memory could not be read"


class Judge(Protocol):
    """A second judge, beside the rules."""

    async def judge(
        self,
        task: str,
        reply: str,
        *,
        facts: Sequence[str],
        forbidden: Sequence[str],
        recalled: Sequence[str],
    ) -> Judgement: ...


@dataclass(frozen=True)
class Judged:
    """A reply and what is to be said of it; `second` is None where there is no second judge, or
    where it gave no judgement, which `unjudged` tells."""

    reply: Reply
    verdict: Verdict
    second: Judgement | None = None
    unjudged: bool = False


@dataclass(frozen=True)
class Done:
    """A task, and both replies to it. `kept` is how many memories were made of what was told;
    `unheard` counts told turns that the assistant did not take."""

    task: Task
    kept: int
    unheard: int
    without: Judged
    with_memory: Judged


class AssistantRun:
    """`assistant` is the product's own over `memory`."""

    def __init__(self, assistant: Assistant, memory: Memory, second: Judge | None) -> None:
        self._assistant = assistant
        self._memory = memory
        self._second = second

    async def run(self, tasks: Sequence[Task], progress: Progress) -> list[Done]:
        doing = progress.track(tasks, description="doing tasks")
        return [await self._do(task) for task in doing]

    async def _do(self, task: Task) -> Done:
        user_id = f"eval:assistant:{task.id}:{uuid4().hex[:8]}"
        unheard = 0
        for talk in task.told:
            unheard += await self._tell(user_id, talk)
        await self._memory.embed_waiting(user_id)
        kept = [item.content for item in await self._memory.list_recent(user_id)]
        # Incognito first: it leaves nothing behind that the other reply could rest on.
        without = await self._ask_without(user_id, task)
        with_memory = await self._ask(user_id, uuid4(), task, kept)
        return Done(task, len(kept), unheard, without, with_memory)

    async def _tell(self, user_id: str, talk: Sequence[str]) -> int:
        """One conversation, learned to its end; how many of its turns failed."""
        conversation = uuid4()
        replies = [await self._say(user_id, conversation, turn) for turn in talk]
        await self._assistant.noticed(user_id, conversation, DEFAULT_SPACE)
        return sum(reply.failed is not None for reply in replies)

    async def _ask_without(self, user_id: str, task: Task) -> Judged:
        conversation = uuid4()
        await self._assistant.privacy(user_id, conversation, DEFAULT_SPACE, at_least="incognito")
        return await self._ask(user_id, conversation, task, [])

    async def _ask(
        self, user_id: str, conversation: UUID, task: Task, kept: Sequence[str]
    ) -> Judged:
        said = await self._say(user_id, conversation, task.task)
        others = tuple(each for each in kept if each not in said.recalled)
        return await self._judge(task, replace(said, others=others))

    async def _say(self, user_id: str, conversation: UUID, text: str) -> Reply:
        """The reply, and what it could rest on: memories and past messages."""
        words: list[str] = []
        recalled: tuple[str, ...] = ()
        failed = None
        try:
            async for event in self._assistant.answer(user_id, conversation, text):
                if isinstance(event, TextDelta):
                    words.append(event.text)
                elif isinstance(event, TurnClosed):
                    memories = [each.content for each in event.memories]
                    recalled = (*memories, *(each.content for each in event.messages))
                    failed = UNREAD if IN_ENGLISH.say("memory_not_read") in event.notices else None
        except KeepsakeError as error:
            failed = f"failed: {type(error).__name__}"
        return Reply("".join(words), recalled, failed=failed)

    async def _judge(self, task: Task, reply: Reply) -> Judged:
        verdict = judge(task, reply)
        if self._second is None:
            return Judged(reply, verdict)
        try:
            second = await self._second.judge(
                task.task,
                reply.text,
                facts=[" or ".join(each) for each in task.needed],
                forbidden=task.forbidden,
                recalled=reply.recalled,
            )
        except Exception:  # a judge that fails judges nothing, and the run goes on
            return Judged(reply, verdict, unjudged=True)
        return Judged(reply, verdict, second)
