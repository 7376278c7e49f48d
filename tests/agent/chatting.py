"""A person in one conversation, and what the store holds of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from agent.assistant import Assistant
from agent.commands.parser import Command
from memory.service import MemoryService
from memory.store.database import Database
from memory.types import DEFAULT_SPACE, NewMemory, StoredMemory
from tests.agent.turns import Told, read_messages, take_turn


@dataclass
class Chat:
    assistant: Assistant
    memory: MemoryService
    database: Database
    user_id: str
    conversation: UUID = field(default_factory=uuid4)
    told: Told = field(default_factory=Told)

    async def say(self, text: str) -> str:
        """One turn; what was answered."""
        self.told = await take_turn(self.assistant, self.user_id, self.conversation, text)
        assert self.told.error is None
        return self.told.text

    def asked(self) -> str | None:
        """What Keepsake asked after the last reply."""
        question = self.told.closed.question
        return None if question is None else question.text

    async def do(self, command: Command) -> str:
        """What a button or a slash does."""
        obeyed = await self.assistant.obey(self.user_id, self.conversation, command)
        return obeyed.text

    async def noticed(self) -> list[str]:
        """What was learned of the last turns, once it is."""
        return await self.assistant.noticed(self.user_id, self.conversation, DEFAULT_SPACE)

    async def hold(self, *contents: str) -> list[StoredMemory]:
        """Memories that were there before."""
        return await self.memory.remember_all(
            self.user_id, [NewMemory(content=each) for each in contents]
        )

    async def known(self) -> set[str]:
        """What is remembered."""
        return {item.content for item in await self.memory.list_recent(self.user_id)}

    async def actions(self) -> list[str]:
        """What the audit log says, the oldest first."""
        return [each.action for each in reversed(await self.memory.audit.read(self.user_id))]

    async def said(self) -> list[str]:
        """Every stored message of the user, oldest first."""
        rows = await read_messages(self.database, self.user_id)
        return [row["content"] for row in rows if row["role"] == "user"]

    def elsewhere(self) -> Chat:
        """The same user in another conversation."""
        return Chat(self.assistant, self.memory, self.database, self.user_id)
