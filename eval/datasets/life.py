"""Everyday conversations as a data set: lived through by a simulated clock, counted and held
against what is aimed at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.assistant import Assistant, make_assistant
from agent.models.model_reader import make_model_reader
from agent.models.provider import open_model
from agent.models.structured import make_reranker
from agent.turn.events import TextDelta, TurnClosed
from eval import checks
from eval.datasets.life_scores import (
    CONVERSATIONS_FOLDER,
    LifeConversation,
    LifeQuestion,
    LifeTurn,
    QuestionResult,
    TurnResult,
    WordGroup,
    WordGroups,
    by_kind_and_language,
    life_metrics,
    life_rows,
    load_conversations,
)
from eval.report import Report, run_settings
from eval.system import System
from memory.config import Settings
from memory.errors import KeepsakeError, MessageRefused
from memory.factory import make_memory
from memory.service import MemoryService
from memory.store.database import Database, load_queries
from memory.store.messages import LearningQueue
from memory.types import DEFAULT_SPACE, MemoryQueryRequest, StoredMemory
from migrations.runner import owner_connection

_SQL = load_queries("life", "eval.datasets")


class SimulatedClock:
    """Goes on as any clock does, from noon of the day that it was set to; noon, so that it is the
    same day where the server counts in another time zone."""

    def __init__(self, tell: Callable[[timedelta], Awaitable[object]]) -> None:
        self._tell = tell
        self._ahead = timedelta(0)
        self._day: date | None = None

    def now(self) -> datetime:
        return (datetime.now(UTC) + self._ahead).astimezone()

    async def set_day(self, day: date) -> None:
        """On the day that it already is, time goes on as it does."""
        if day == self._day:
            return
        noon = datetime.combine(day, time(12)).astimezone()
        self._day, self._ahead = day, noon - datetime.now(UTC)
        await self._tell(self._ahead)


@asynccontextmanager
async def simulated_clock(owner_url: str) -> AsyncIterator[SimulatedClock]:
    """The clock of that database, for whoever connects to it from now on; it lasts as long as the
    database, so it belongs in one that is thrown away. Raises DatabaseUnavailable."""
    async with owner_connection(owner_url) as connection:
        await connection.execute(_SQL["install"])

        async def tell(ahead: timedelta) -> None:
            await connection.execute(_SQL["set_ahead"], ahead)

        yield SimulatedClock(tell)


TOP_RETURNED = 5
# After these a question is the assistant's own: whether it shall do what was asked for.
CONFIRMED_KINDS = frozenset({"forget", "mixed", "correct", "dont", "update", "end"})
CONFIRMATION = "yes"
_ALL = 100_000


@dataclass
class LifeRun:
    """Everybody is a user of their own, in one conversation for each day on which they say
    something."""

    assistant: Assistant
    memory: MemoryService
    marks: LearningQueue
    clock: SimulatedClock
    settings: Settings

    async def play(
        self, conversations: Sequence[LifeConversation], progress: Progress
    ) -> tuple[list[TurnResult], list[QuestionResult]]:
        """All of them, one after the other: there is one clock."""
        total = sum(len(each.turns) + len(each.questions) for each in conversations)
        task = progress.add_task("living", total=total)
        played: list[TurnResult] = []
        asked: list[QuestionResult] = []
        for each in conversations:
            progress.update(task, description=f"living as {each.name}")
            life = _PersonRun(self, each, f"eval:life:{each.name}:{uuid4().hex[:8]}")
            for turn in each.turns:
                played.append(await life.say(turn))
                asked += [await life.ask(*question) for question in each.asked_after(turn)]
                progress.advance(task, 1 + len(each.asked_after(turn)))
        return played, asked


class _PersonRun:
    def __init__(self, lives: LifeRun, conversation: LifeConversation, user_id: str) -> None:
        self._lives = lives
        self._conversation = conversation
        self._user_id = user_id
        self._talk, self._day = uuid4(), date.min
        self._known = frozenset[UUID]()

    async def say(self, turn: LifeTurn) -> TurnResult:
        await self._begin(turn.day)
        heard = [await self._hear(turn.say)]
        if turn.kind in CONFIRMED_KINDS and "?" in heard[0][0]:
            heard.append(await self._hear(CONFIRMATION))
        memories = await self._memories()
        contents = [item.content for item in memories]
        known, self._known = self._known, frozenset(item.id for item in memories)
        return TurnResult(
            self._conversation,
            turn,
            tuple(reply for reply, _ in heard),
            missing=missing_groups(turn.present, contents),
            standing=tuple(violated_groups(turn.absent, contents)),
            added=tuple(item.content for item in memories if item.id not in known),
            failed=any(broke for _, broke in heard),
            unlearned=bool(await self._lives.marks.claims(self._user_id)),
        )

    async def ask(self, place: int, question: LifeQuestion) -> QuestionResult:
        await self._lives.clock.set_day(question.day)
        memories = [item.content for item in await self._memories()]
        settings = self._lives.settings
        request = MemoryQueryRequest(
            user_id=self._user_id,
            query=question.ask,
            limit=settings.max_results,
            min_score=settings.min_relevance,
            min_confidence="possible",  # what is said without a model, as the replies here are
        )
        response = await self._lives.memory.recall(request)
        returned = tuple(item.content for item in response.items[:TOP_RETURNED])
        return QuestionResult(
            self._conversation,
            place,
            question,
            returned,
            missing=missing_groups(question.want, returned),
            kept=not missing_groups(question.want, memories),
            stale=any(
                matches_group(memory, group)
                for memory in returned[:1]
                for group in question.not_first
            ),
            failed=response.error,
            degraded=bool(response.degraded),
        )

    async def _begin(self, day: date) -> None:
        """A day that was not yet there begins with a conversation of its own."""
        if day != self._day:
            self._talk, self._day = uuid4(), day
        await self._lives.clock.set_day(day)

    async def _hear(self, text: str) -> tuple[str, bool]:
        """All that a person is shown after a message, once it is learned from; whether the
        assistant broke down."""
        lives, failed = self._lives, False
        words: list[str] = []
        notices: tuple[str, ...] = ()
        try:
            async for event in lives.assistant.answer(self._user_id, self._talk, text):
                if isinstance(event, TextDelta):
                    words.append(event.text)
                elif isinstance(event, TurnClosed):
                    notices = event.notices
                    lives.assistant.note_shown(self._user_id, self._talk, event.question)
        except MessageRefused as refusal:
            words.append(str(refusal))
        except KeepsakeError as error:
            words.append(str(error))
            failed = True
        news = await lives.assistant.noticed(self._user_id, self._talk, DEFAULT_SPACE)
        return "\n".join(["".join(words), *notices, *news]), failed

    async def _memories(self) -> list[StoredMemory]:
        """The active ones, the newest first."""
        return await self._lives.memory.list_recent(self._user_id, _ALL)


def matches_group(memory: str, group: WordGroup) -> bool:
    """Whether all words of the group stand in the memory."""
    words = memory.lower()
    return all(word in words for word in group)


def missing_groups(groups: WordGroups, memories: Sequence[str]) -> WordGroups:
    """The groups that no single one of the memories holds."""
    return tuple(
        each for each in groups if not any(matches_group(memory, each) for memory in memories)
    )


def violated_groups(groups: WordGroups, memories: Sequence[str]) -> list[tuple[WordGroup, str]]:
    """The groups that one of the memories holds, each with the first such."""
    found = [
        (each, [memory for memory in memories if matches_group(memory, each)]) for each in groups
    ]
    return [(each, held[0]) for each, held in found if held]


class LifeDataset:
    def __init__(self, folder: Path | None, limit: int | None = None) -> None:
        self._conversations = load_conversations(folder or CONVERSATIONS_FOLDER, limit)

    async def run(self, system: System, progress: Progress) -> Report:
        """From the first day on the database of the system keeps the time of the conversations."""
        async with _opened(system) as lives:
            played, asked = await lives.play(self._conversations, progress)
        metrics = life_metrics(played, asked)
        return Report(
            dataset="life",
            settings=run_settings(
                system,
                people=len(self._conversations),
                model=system.settings.openai_model if system.settings.has_model else "offline",
            ),
            metrics=metrics,
            by_category=by_kind_and_language(played, asked),
            checks=checks.check_bounds(metrics, checks.LIFE),
            rows=life_rows(played, asked),
        )


@asynccontextmanager
async def _opened(system: System) -> AsyncIterator[LifeRun]:
    """The product's own assistant over a memory of its own, both by the simulated clock."""
    settings = system.settings
    async with simulated_clock(system.owner_url) as clock, open_model(settings) as model:
        database = await Database.open(system.owner_url)
        memory = make_memory(
            database,
            system.embedder,
            system.cache,
            system.counter,
            settings,
            reader=make_model_reader(model, settings),
            reranker=make_reranker(model, settings),
            clock=clock.now,
        )
        assistant = make_assistant(model, settings, memory, system.cache)
        try:
            yield LifeRun(assistant, memory, LearningQueue(database), clock, settings)
        finally:
            await assistant.aclose()
            await memory.aclose()
            await database.close()
