"""A conversation as a person has it: what is said, what comes back, what was learned behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from agent.assistant import Assistant
from agent.turn.events import TurnClosed
from memory.errors import KeepsakeError
from memory.service import MemoryService
from memory.types import DEFAULT_SPACE
from tests.agent.turns import Told


@dataclass
class Heard(Told):
    """What a turn told, and what was noted of it behind the reply."""

    noted: list[str] = field(default_factory=list)

    @property
    def whole(self) -> str:
        """Every word that the person got to read."""
        notices = [event.notices for event in self.events if hasattr(event, "notices")]
        return "\n".join([self.text, *(each for some in notices for each in some), *self.noted])


@dataclass(frozen=True)
class Chat:
    """One person in one conversation of one space; each turn ends when it is learned from."""

    assistant: Assistant
    user_id: str
    conversation: UUID = field(default_factory=uuid4)
    space: str = DEFAULT_SPACE

    async def say(self, text: str) -> Heard:
        heard = Heard()
        key = (self.user_id, self.conversation)
        try:
            async for event in self.assistant.answer(*key, text, self.space):
                heard.events.append(event)
                if isinstance(event, TurnClosed):
                    self.assistant.note_shown(*key, event.question)
        except KeepsakeError as error:
            heard.error = error
        heard.noted = await self.assistant.noticed(*key, self.space)
        return heard

    async def say_all(self, texts: Sequence[str]) -> list[Heard]:
        """One after the other; raises what a turn could not do."""
        heard = []
        for text in texts:
            heard.append(await self.say(text))
            if heard[-1].error is not None:
                raise heard[-1].error
        return heard


async def knows(memory: MemoryService, user_id: str, space: str = DEFAULT_SPACE) -> list[str]:
    """What is listed as remembered, in the order of the alphabet."""
    return sorted(item.content for item in await memory.entries.all(user_id, space))
