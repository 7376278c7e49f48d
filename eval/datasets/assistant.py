"""The assistant's tasks as a data set: each done without memory and with it, judged, and held
against its bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.assistant import Assistant, make_assistant
from agent.models.model_reader import make_model_reader
from agent.models.provider import model_settings, open_model
from agent.models.structured import StructuredModel, make_reranker
from agent.turn.events import TextDelta, TurnClosed
from agent.turn.notices import NO_MEMORY
from eval import checks
from eval.datasets.assistant_judge import Judgement, ModelJudge, ReplyJudge
from eval.datasets.assistant_rules import (
    TASKS_FOLDER,
    AssistantReply,
    MemoryTask,
    RuleVerdict,
    judge_reply,
    load_tasks,
)
from eval.metrics import Metrics, proportion
from eval.report import Report, run_settings
from eval.results import Failure, Failures
from eval.statistics import Count, with_interval
from eval.system import System
from memory.cache import Cache
from memory.config import Settings
from memory.errors import KeepsakeError
from memory.factory import make_memory
from memory.retrieval.reranking import Reranker
from memory.service import MemoryService
from memory.types import DEFAULT_SPACE
from memory.understanding import SecondReader

MEMORY_UNREAD = "memory could not be read"


@dataclass(frozen=True)
class JudgedReply:
    """A reply and what is to be said of it; `second` is None where there is no second judge, or
    where it gave no judgement, which `judge_failed` tells."""

    reply: AssistantReply
    verdict: RuleVerdict
    second: Judgement | None = None
    judge_failed: bool = False


@dataclass(frozen=True)
class TaskResult:
    """A task, and both replies to it. `kept` is how many memories were made of what was told;
    `unheard` counts told turns that the assistant did not take."""

    task: MemoryTask
    kept: int
    unheard: int
    without: JudgedReply
    with_memory: JudgedReply


class AssistantRun:
    """Lives through every task with a fresh user: what is told in earlier conversations, learned as
    in life, and then the task in a new one, incognito first and with memory after it. `assistant`
    is the product's own over `memory`."""

    def __init__(
        self, assistant: Assistant, memory: MemoryService, second: ReplyJudge | None
    ) -> None:
        self._assistant = assistant
        self._memory = memory
        self._second = second

    async def run(self, tasks: Sequence[MemoryTask], progress: Progress) -> list[TaskResult]:
        doing = progress.track(tasks, description="doing tasks")
        return [await self._do(task) for task in doing]

    async def _do(self, task: MemoryTask) -> TaskResult:
        user_id = f"eval:assistant:{task.id}:{uuid4().hex[:8]}"
        unheard = 0
        for talk in task.told:
            unheard += await self._tell(user_id, talk)
        await self._memory.embed_waiting(user_id)
        kept = [item.content for item in await self._memory.list_recent(user_id)]
        # Incognito first: it leaves nothing behind that the other reply could rest on.
        without = await self._ask_without(user_id, task)
        with_memory = await self._ask(user_id, uuid4(), task, kept)
        return TaskResult(task, len(kept), unheard, without, with_memory)

    async def _tell(self, user_id: str, talk: Sequence[str]) -> int:
        """One conversation, learned to its end; how many of its turns failed."""
        conversation = uuid4()
        replies = [await self._say(user_id, conversation, turn) for turn in talk]
        await self._assistant.noticed(user_id, conversation, DEFAULT_SPACE)
        return sum(reply.failed is not None for reply in replies)

    async def _ask_without(self, user_id: str, task: MemoryTask) -> JudgedReply:
        conversation = uuid4()
        await self._assistant.privacy(user_id, conversation, DEFAULT_SPACE, at_least="incognito")
        return await self._ask(user_id, conversation, task, [])

    async def _ask(
        self, user_id: str, conversation: UUID, task: MemoryTask, kept: Sequence[str]
    ) -> JudgedReply:
        said = await self._say(user_id, conversation, task.task)
        others = tuple(each for each in kept if each not in said.recalled)
        return await self._judge(task, replace(said, others=others))

    async def _say(self, user_id: str, conversation: UUID, text: str) -> AssistantReply:
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
                    failed = MEMORY_UNREAD if NO_MEMORY in event.notices else None
        except KeepsakeError as error:
            failed = f"failed: {type(error).__name__}"
        return AssistantReply("".join(words), recalled, failed=failed)

    async def _judge(self, task: MemoryTask, reply: AssistantReply) -> JudgedReply:
        verdict = judge_reply(task, reply)
        if self._second is None:
            return JudgedReply(reply, verdict)
        try:
            second = await self._second.judge(
                task.task,
                reply.text,
                facts=[" or ".join(each) for each in task.needed],
                forbidden=task.forbidden,
                recalled=reply.recalled,
            )
        except Exception:  # a judge that fails judges nothing, and the run goes on
            return JudgedReply(reply, verdict, judge_failed=True)
        return JudgedReply(reply, verdict, second)


def task_metrics(done: Sequence[TaskResult]) -> Metrics:
    """By the rules. `difference` is the share of tasks solved with memory less the share without,
    its interval over tasks, each with both of its replies (a paired bootstrap)."""
    return {
        "tasks": len(done),
        **_solved(done),
        **with_interval("citation_accuracy", _cited(each.with_memory for each in done)),
        "recalled_nothing": sum(not each.with_memory.reply.recalled for each in done),
        "recalled_while_off": sum(bool(each.without.reply.recalled) for each in done),
        "invented_without": sum(each.without.verdict.invented for each in done),
        "invented_with": sum(each.with_memory.verdict.invented for each in done),
        "failed_turns": sum(
            each.unheard
            + (each.with_memory.reply.failed is not None)
            + (each.without.reply.failed is not None)
            for each in done
        ),
        "memories_kept": sum(each.kept for each in done),
    }


def second_judge_metrics(done: Sequence[TaskResult]) -> Metrics:
    """By the second judge, over what it judged; nothing where there is none."""
    pairs = [
        (each.with_memory.second, each.without.second)
        for each in done
        if each.with_memory.second is not None and each.without.second is not None
    ]
    both = [judged for each in done for judged in (each.with_memory, each.without)]
    if not any(judged.second or judged.judge_failed for judged in both):
        return {}
    told = [(judged.verdict, judged.second) for judged in both if judged.second is not None]
    return {
        **with_interval("judged_with", [(float(own.solves), 1.0) for own, _ in pairs]),
        **with_interval("judged_without", [(float(bare.solves), 1.0) for _, bare in pairs]),
        **with_interval(
            "judged_difference",
            [(float(own.solves) - float(bare.solves), 1.0) for own, bare in pairs],
        ),
        **with_interval("judged_citations", [(float(own.cites), 1.0) for own, _ in pairs]),
        "judged_inventions": sum(second.invents for _, second in told),
        "judges_agree": proportion(rules.solved == second.solves for rules, second in told),
        "not_judged": sum(judged.judge_failed for judged in both),
    }


def task_metrics_by_kind(done: Sequence[TaskResult]) -> dict[str, Metrics]:
    """What memory is worth for each kind of task, in alphabetical order."""
    kinds = sorted({each.task.kind for each in done})
    of_kind = {kind: [each for each in done if each.task.kind == kind] for kind in kinds}
    return {kind: {"tasks": len(each), **_solved(each)} for kind, each in of_kind.items()}


def task_failures(done: Sequence[TaskResult]) -> list[Failure]:
    """The tasks that were not solved with memory, or not cited as they should be; those that were
    solved without; and what was invented there."""
    found = []
    for each in done:
        faults = list(each.with_memory.verdict.faults)
        if each.without.verdict.solved:
            faults.append("solved without memory")
        if each.without.verdict.invented:
            faults.append("invents while memory is off")
        if faults:
            found.append(Failure(each.task.id, each.task.kind, "; ".join(faults)))
    return found


def _solved(done: Sequence[TaskResult]) -> Metrics:
    pairs = [(each.with_memory.verdict.solved, each.without.verdict.solved) for each in done]
    return {
        **with_interval("success_with", [(float(own), 1.0) for own, _ in pairs]),
        **with_interval("success_without", [(float(bare), 1.0) for _, bare in pairs]),
        **with_interval("difference", [(float(own) - float(bare), 1.0) for own, bare in pairs]),
    }


def _cited(replies: Iterable[JudgedReply]) -> list[Count]:
    """One unit a reply that had a memory or claims one."""
    told = [each.verdict.cited for each in replies]
    return [(float(cited), 1.0) for cited in told if cited is not None]


RULES = "rules"
MakeAssistant: TypeAlias = Callable[[Settings, MemoryService, Cache], Assistant]


class AssistantDataset:
    """`make` stands in for the product's own assistant, `second` for the model as a judge."""

    def __init__(
        self,
        folder: Path | None,
        make: MakeAssistant | None = None,
        second: ReplyJudge | None = None,
    ) -> None:
        self._set = load_tasks(folder or TASKS_FOLDER)
        self._make = make
        self._second = second

    async def run(self, system: System, progress: Progress) -> Report:
        settings = system.settings
        async with open_model(settings) as model:
            second = self._second
            if second is None and settings.has_model:
                asking = model_settings(settings)
                second = ModelJudge(
                    StructuredModel("Keepsake judge", "judge", Judgement, model, asking)
                )
            reader, reranker = make_model_reader(model, settings), make_reranker(model, settings)
            memory = _memory(system, reader, reranker)
            make = self._make or partial(make_assistant, model)
            assistant = make(settings, memory, system.cache)
            try:
                run = AssistantRun(assistant, memory, second)
                done = await run.run(self._set.tasks, progress)
            finally:
                await assistant.aclose()
                await memory.aclose()
        metrics = {**task_metrics(done), **second_judge_metrics(done)}
        return Report(
            dataset="assistant",
            settings=run_settings(
                system,
                model=settings.openai_model if settings.has_model else "offline",
                judge=RULES if second is None else type(second).__name__,
            ),
            metrics=metrics,
            by_category=task_metrics_by_kind(done),
            checks=checks.check_bounds(metrics, checks.ASSISTANT),
            failures=Failures.of(task_failures(done)),
        )


def _memory(
    system: System, reader: SecondReader | None, reranker: Reranker | None
) -> MemoryService:
    """The product's, which learns and ranks by the model where one is configured."""
    return make_memory(
        system.database,
        system.embedder,
        system.cache,
        system.counter,
        system.settings,
        reader=reader,
        reranker=reranker,
    )
