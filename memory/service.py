"""The memory as the rest of Keepsake sees it: one façade over recall, write, store and upkeep."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.controls.deleting import Deleting
from memory.controls.entries import Entries
from memory.controls.episodes import Episodes
from memory.controls.forgetting import Forgetting
from memory.controls.portability import Portability
from memory.controls.restoring import Restoring
from memory.controls.taking_back import TakingBack
from memory.database import Access
from memory.models import KeptItem, NewItem, Origin, Outcome, Privacy
from memory.recall.metered import MeteredGate
from memory.recall.usage import UsageWriter
from memory.recalls import (
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
)
from memory.store.audit import Audit
from memory.store.conversation_store import ConversationStore
from memory.store.doubts import Doubts
from memory.store.idempotency import Idempotency
from memory.store.items import Items
from memory.store.modes import Modes, SpaceSettings
from memory.store.privacy_marks import PrivacyMarks
from memory.upkeep.backfill import Backfill
from memory.upkeep.capacity import Capacity
from memory.upkeep.keeping import Keeping
from memory.upkeep.lifecycle import Lifecycle
from memory.upkeep.relearning import Relearning
from memory.write.candidates import Said
from memory.write.learning import Learner, OnForgotten
from memory.write.remember import Remember


class Memory:
    """Every method names its user; nothing crosses from one to another."""

    def __init__(
        self,
        *,
        access: Access,
        conversations: ConversationStore,
        items: Items,
        memories: MeteredGate[MemoryQueryRequest, MemoryQueryResponse],
        messages: MeteredGate[MessageQueryRequest, MessageQueryResponse],
        usage: UsageWriter,
        remember: Remember,
        learner: Learner,
        doubts: Doubts,
        capacity: Capacity,
        lifecycle: Lifecycle,
        backfill: Backfill,
        relearning: Relearning,
        entries: Entries,
        forgetting: Forgetting,
        modes: Modes,
        portability: Portability,
        audit: Audit,
        idempotency: Idempotency,
        taking_back: TakingBack,
        deleting: Deleting,
        privacy_marks: PrivacyMarks,
        episodes: Episodes,
    ) -> None:
        self.conversations = conversations
        self.learner = learner
        self.doubts = doubts
        self.entries = entries
        self.forgetting = forgetting
        self.modes = modes
        self.portability = portability
        self.audit = audit
        self.idempotency = idempotency
        self.taking_back = taking_back
        self.deleting = deleting
        self.privacy_marks = privacy_marks
        self.episodes = episodes
        self.lifecycle = lifecycle
        self._access = access
        self._private: dict[Privacy, Memory] = {}
        self._items = items
        self._memories = memories
        self._messages = messages
        self._usage = usage
        self._remember = remember
        self._capacity = capacity
        self._keeping = Keeping(remember, capacity)
        self._backfill = backfill
        self._relearning = relearning

    def add_private(self, privacy: Privacy, memory: Memory) -> None:
        """What of this memory a conversation of that privacy may use."""
        self._private[privacy] = memory

    def in_privacy(self, privacy: Privacy) -> Memory:
        """This memory, or what an incognito conversation may use of it: its database refuses
        what its privacy forbids, and its conversations stay in this process."""
        return self if privacy == "normal" else self._private[privacy]

    async def space_settings(self, user_id: str, space: str) -> SpaceSettings:
        """What the user set for a space; the defaults where even that may not be read."""
        if self._access == "none":
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
        return await self._memories.recall(
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
        return await self._messages.recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )

    async def remember(
        self,
        user_id: str,
        item: NewItem,
        origin: Origin = Origin(),  # noqa: B008 - frozen
    ) -> Outcome:
        """Keeps one memory and the cap of its space; raises where it cannot be kept."""
        return await self._keeping.keep(user_id, item, origin)

    async def learn(
        self,
        user_id: str,
        space: str,
        said: Said,
        *,
        origin: Origin,
        recalled: Sequence[str] = (),
        on_forgotten: OnForgotten | None = None,
    ) -> list[Outcome]:
        """Keeps what is worth it of a message, and the cap; see `Learner.learn`."""
        outcomes = await self.learner.learn(
            user_id, space, said, origin=origin, recalled=recalled, on_forgotten=on_forgotten
        )
        await self._keeping.trim(user_id, space, outcomes, origin.correlation_id)
        return outcomes

    async def learn_waiting(self, user_id: str) -> int:
        """Learns from what was left waiting, and keeps the caps; how many messages were looked
        at."""
        spaces = await self.learner.learn_waiting(user_id)
        await self._keeping.trim_spaces(user_id, spaces)
        return len(spaces)

    async def restore(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """Brings a memory back; see `Restoring.restore`. Raises NotFound."""
        restoring = Restoring(self.forgetting, self.entries, self._capacity, self.doubts)
        return await restoring.restore(user_id, item_id, origin)

    async def remember_all(self, user_id: str, items: Sequence[NewItem]) -> list[KeptItem]:
        """Keeps all of the memories or none, without trimming to the cap: what was given in one
        go is there whole until the next memory that is kept by itself."""
        return await self._remember.keep_all(user_id, items)

    async def list_recent(self, user_id: str, limit: int = 50) -> list[KeptItem]:
        """What is remembered, the newest first."""
        return await self._items.list_recent(user_id, limit)

    async def erase_due(self, user_id: str) -> int:
        """Erases for good what was forgotten long enough ago; how many memories."""
        return len(await self.forgetting.erase_due(user_id))

    async def embed_waiting(self, user_id: str) -> int:
        """Fills missing vectors of the user; see `Backfill.run`."""
        return await self._backfill.run(user_id)

    async def aclose(self) -> None:
        """Writes what recalls left to be written behind them. What it was made from is closed by
        whoever made that."""
        await self._usage.aclose()

    async def relearn(self, user_id: str) -> int:
        """Fills what older memories lack to be compared with new ones; see `Relearning.run`."""
        return await self._relearning.run(user_id)
