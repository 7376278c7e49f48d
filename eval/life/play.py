"""Lives through a conversation: says every turn to the assistant on its day, looks at what memory
holds afterwards, and asks the questions that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

from rich.progress import Progress

from agent.assistant import Assistant
from agent.turn.events import TextDelta, TurnClosed
from eval.life.clock import SimulatedClock
from eval.life.dataset import Conversation, Group, Groups, Question, Turn
from memory.errors import KeepsakeError, MessageRefused
from memory.models import DEFAULT_SPACE, KeptItem
from memory.recalls import MemoryQueryRequest
from memory.service import Memory
from memory.settings import Settings
from memory.store.conversations.learning import LearningMarks

FIRST = 5
# After these a question is the assistant's own: whether it shall do what was asked for.
ANSWERED = frozenset({"forget", "mixed", "correct", "dont", "update", "end"})
YES = "yes"
_ALL = 100_000


@dataclass(frozen=True)
class Played:
    """A turn and what came of it; a second reply is that to YES. `missing` are the groups of
    `present` that stand in no memory, `standing` those of `absent` that stand in one, each with it;
    `failed` says that the assistant broke down, `unlearned` that something which was said still
    waits to be learned from."""

    conversation: Conversation
    turn: Turn
    reply: tuple[str, ...]
    missing: Groups
    standing: tuple[tuple[Group, str], ...]
    added: tuple[str, ...]
    failed: bool = False
    unlearned: bool = False


@dataclass(frozen=True)
class Asked:
    """A question and the first FIRST that came back. `missing` are the wanted groups that none of
    them holds; `kept`: each wanted group stood in some memory; `stale`: one of `not_first`
    stands in the first."""

    conversation: Conversation
    place: int
    question: Question
    returned: tuple[str, ...]
    missing: Groups
    kept: bool
    stale: bool
    failed: bool = False
    degraded: bool = False


@dataclass
class Lives:
    """Everybody is a user of their own, in one conversation for each day on which they say
    something."""

    assistant: Assistant
    memory: Memory
    marks: LearningMarks
    clock: SimulatedClock
    settings: Settings

    async def play(
        self, conversations: Sequence[Conversation], progress: Progress
    ) -> tuple[list[Played], list[Asked]]:
        """All of them, one after the other: there is one clock."""
        total = sum(len(each.turns) + len(each.questions) for each in conversations)
        task = progress.add_task("living", total=total)
        played: list[Played] = []
        asked: list[Asked] = []
        for each in conversations:
            progress.update(task, description=f"living as {each.name}")
            life = _Life(self, each, f"eval:life:{each.name}:{uuid4().hex[:8]}")
            for turn in each.turns:
                played.append(await life.say(turn))
                asked += [await life.ask(*question) for question in each.asked_after(turn)]
                progress.advance(task, 1 + len(each.asked_after(turn)))
        return played, asked


class _Life:
    def __init__(self, lives: Lives, conversation: Conversation, user_id: str) -> None:
        self._lives = lives
        self._conversation = conversation
        self._user_id = user_id
        self._talk, self._day = uuid4(), date.min
        self._known = frozenset[UUID]()

    async def say(self, turn: Turn) -> Played:
        await self._begin(turn.day)
        heard = [await self._hear(turn.say)]
        if turn.kind in ANSWERED and "?" in heard[0][0]:
            heard.append(await self._hear(YES))
        memories = await self._memories()
        contents = [item.content for item in memories]
        known, self._known = self._known, frozenset(item.id for item in memories)
        return Played(
            self._conversation,
            turn,
            tuple(reply for reply, _ in heard),
            missing=lacking(turn.present, contents),
            standing=tuple(standing(turn.absent, contents)),
            added=tuple(item.content for item in memories if item.id not in known),
            failed=any(broke for _, broke in heard),
            unlearned=bool(await self._lives.marks.waiting(self._user_id, 1)),
        )

    async def ask(self, place: int, question: Question) -> Asked:
        await self._lives.clock.set_day(question.day)
        memories = [item.content for item in await self._memories()]
        settings = self._lives.settings
        request = MemoryQueryRequest(
            user_id=self._user_id,
            query=question.ask,
            limit=settings.max_results,
            min_score=settings.min_relevance,
        )
        response = await self._lives.memory.recall(request)
        returned = tuple(item.content for item in response.items[:FIRST])
        return Asked(
            self._conversation,
            place,
            question,
            returned,
            missing=lacking(question.want, returned),
            kept=not lacking(question.want, memories),
            stale=any(
                holds(memory, group) for memory in returned[:1] for group in question.not_first
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
        except MessageRefused as refusal:
            words.append(str(refusal))
        except KeepsakeError as error:
            words.append(str(error))
            failed = True
        news = await lives.assistant.noticed(self._user_id, self._talk, DEFAULT_SPACE)
        return "\n".join(["".join(words), *notices, *news]), failed

    async def _memories(self) -> list[KeptItem]:
        """The active ones, the newest first."""
        return await self._lives.memory.list_recent(self._user_id, _ALL)


def holds(memory: str, group: Group) -> bool:
    """Whether all words of the group stand in the memory."""
    words = memory.lower()
    return all(word in words for word in group)


def lacking(groups: Groups, memories: Sequence[str]) -> Groups:
    """The groups that no single one of the memories holds."""
    return tuple(each for each in groups if not any(holds(memory, each) for memory in memories))


def standing(groups: Groups, memories: Sequence[str]) -> list[tuple[Group, str]]:
    """The groups that one of the memories holds, each with the first such."""
    found = [(each, [memory for memory in memories if holds(memory, each)]) for each in groups]
    return [(each, held[0]) for each, held in found if held]
