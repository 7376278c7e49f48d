"""The memory as the rest of Keepsake sees it: one service over retrieval, ingestion, actions, the
store and maintenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.actions.entries import Entries
from memory.actions.episodes import EpisodeService
from memory.actions.forgetting.erasure import ConversationRemoval
from memory.actions.forgetting.partial import MemoryCutter
from memory.actions.forgetting.service import ForgettingService, MemoryRestorer, TurnRetraction
from memory.actions.portability import Portability
from memory.errors import MessagesGivenUp
from memory.ingestion.extraction import ExtractionInput
from memory.ingestion.learner import MOST_TRIES, Learner, OnForgotten
from memory.ingestion.writer import MemoryWriter
from memory.maintenance.backfill import FingerprintBackfill, VectorBackfill
from memory.maintenance.capacity import CappedWriter
from memory.maintenance.service import Maintenance
from memory.retrieval.answers import AnswerReader
from memory.retrieval.service import RecallService
from memory.retrieval.usage import UsageWriter
from memory.store.audit import AuditStore
from memory.store.conflicts import ConflictStore
from memory.store.conversations import ConversationStore, PrivacyFlags
from memory.store.database import Access
from memory.store.idempotency import IdempotencyStore
from memory.store.memories import MemoryStore
from memory.store.spaces import SpaceSettingsStore
from memory.types import (
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
    NewMemory,
    Origin,
    Privacy,
    SaveOutcome,
    SpaceSettings,
    StoredMemory,
)


@dataclass(frozen=True)
class RecallParts:
    """From a question to memories and to messages, what reads them together, and how often each was
    used."""

    service: RecallService
    answers: AnswerReader
    usage: UsageWriter


@dataclass(frozen=True)
class WriteParts:
    """From words to memories within their cap, and what is filled in afterwards."""

    remember: MemoryWriter
    keeping: CappedWriter
    backfill: VectorBackfill
    relearning: FingerprintBackfill


@dataclass(kw_only=True, eq=False)
class MemoryService:
    """Every method, here and of the parts, names its user; nothing crosses from one to another."""

    access: Access
    conversations: ConversationStore
    items: MemoryStore
    recalling: RecallParts
    writing: WriteParts
    learner: Learner
    lifecycle: Maintenance
    entries: Entries
    doubts: ConflictStore
    forgetting: ForgettingService
    parting: MemoryCutter
    restoring: MemoryRestorer
    modes: SpaceSettingsStore
    portability: Portability
    audit: AuditStore
    idempotency: IdempotencyStore
    taking_back: TurnRetraction
    deleting: ConversationRemoval
    privacy_marks: PrivacyFlags
    episodes: EpisodeService
    _private: dict[Privacy, MemoryService] = field(default_factory=dict, init=False)

    def add_private(self, privacy: Privacy, memory: MemoryService) -> None:
        """What of this memory a conversation of that privacy may use."""
        self._private[privacy] = memory

    def for_privacy(self, privacy: Privacy) -> MemoryService:
        """This memory, or what an incognito conversation may use of it: its database refuses
        what its privacy forbids, and its conversations stay in this process."""
        return self if privacy == "normal" else self._private[privacy]

    async def drop_incognito(self, user_id: str) -> None:
        """Nothing of the user's incognito conversations is in this process any more."""
        for each in self._private.values():
            await each.conversations.drop_user(user_id)

    async def space_settings(self, user_id: str, space: str) -> SpaceSettings:
        """What the user set for a space; the defaults where even that may not be read."""
        if self.access == "none":
            return SpaceSettings()
        return await self.modes.read(user_id, space)

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        """What the user's memory holds for a query; empty and flagged above the rate limit, where
        memory is off in the space, and where an incognito conversation may not read it."""
        return await self.recalling.service.recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )

    async def recall_messages(
        self,
        request: MessageQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MessageQueryResponse:
        """What was said about a query in the user's conversations of a space, whether or not it is
        remembered, until `now` where it is given; empty and flagged as a recall is. The turn of
        `correlation_id` is left out."""
        return await self.recalling.service.recall_messages(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )

    async def remember(
        self,
        user_id: str,
        item: NewMemory,
        origin: Origin = Origin(),  # noqa: B008 - frozen
    ) -> SaveOutcome:
        """Keeps one memory and the cap of its space; raises where it cannot be kept."""
        return await self.writing.keeping.keep(user_id, item, origin)

    async def learn(
        self,
        user_id: str,
        space: str,
        said: ExtractionInput,
        *,
        origin: Origin,
        recalled: Sequence[str] = (),
        on_forgotten: OnForgotten | None = None,
        claim: str | None = None,
    ) -> list[SaveOutcome]:
        """Keeps what is worth it of a message, and the cap; see `Learner.learn`."""
        outcomes = await self.learner.learn(
            user_id,
            space,
            said,
            origin=origin,
            recalled=recalled,
            on_forgotten=on_forgotten,
            claim=claim,
        )
        await self.writing.keeping.trim(user_id, space, outcomes, origin.correlation_id)
        return outcomes

    async def learn_waiting(self, user_id: str) -> int:
        """Learns from what was left waiting, and keeps the caps; how many messages were looked
        at. Raises MessagesGivenUp in the end, where some were begun too often."""
        given_up = await self.learner.give_up_tried(user_id)
        spaces = await self.learner.learn_waiting(user_id)
        await self.writing.keeping.trim_spaces(user_id, spaces)
        if given_up:
            raise MessagesGivenUp(count=given_up, tries=MOST_TRIES)
        return len(spaces)

    async def restore(self, user_id: str, item_id: UUID, origin: Origin) -> StoredMemory:
        """Brings a memory back; see `MemoryRestorer.restore`. Raises NotFound."""
        return await self.restoring.restore(user_id, item_id, origin)

    async def remember_all(self, user_id: str, items: Sequence[NewMemory]) -> list[StoredMemory]:
        """Keeps all of the memories or none, without trimming to the cap: what was given in one
        go is there whole until the next memory that is kept by itself."""
        return await self.writing.remember.keep_all(user_id, items)

    async def list_recent(self, user_id: str, limit: int = 50) -> list[StoredMemory]:
        """What is remembered, the newest first."""
        return await self.items.list_recent(user_id, limit)

    async def erase_due(self, user_id: str) -> int:
        """Erases for good what was forgotten long enough ago; how many memories."""
        return len(await self.forgetting.erase_due(user_id))

    async def embed_waiting(self, user_id: str) -> int:
        """Fills missing vectors of the user; see `VectorBackfill.run`."""
        return await self.writing.backfill.run(user_id)

    async def aclose(self) -> None:
        """Writes what recalls left to be written behind them. What it was made from is closed by
        whoever made that."""
        await self.recalling.usage.aclose()
        self.recalling.answers.close()

    async def relearn(self, user_id: str) -> int:
        """Fills what older memories lack to be compared with new ones; see
        `FingerprintBackfill.run`."""
        return await self.writing.relearning.run(user_id)
