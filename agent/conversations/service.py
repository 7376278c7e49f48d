"""The conversations of a user, whether they are stored or live in this process alone."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agent.conversations.session import ReplySaver
from agent.conversations.state import ConversationState, ConversationStates
from memory.errors import ConversationNotFound
from memory.service import MemoryService
from memory.store.conversations import MessagePage
from memory.store.messages import LATEST_POSITION
from memory.types import Origin, Privacy, StoredConversation


@dataclass(frozen=True)
class ConversationWithPrivacy:
    """A conversation, and how private it is at this moment."""

    conversation: StoredConversation
    privacy: Privacy


class ConversationService:
    """Every method names its user. The id of somebody else's conversation is not found."""

    def __init__(
        self, memory: MemoryService, dialogues: ConversationStates, replies: ReplySaver
    ) -> None:
        self._memory = memory
        self._dialogues = dialogues
        self._replies = replies

    async def find(self, user_id: str, conversation_id: UUID) -> ConversationWithPrivacy:
        """Also one of which nothing was stored yet, as long as this process lives. A stored one
        that this process knows nothing of is as private as it was made last. Raises
        ConversationNotFound."""
        dialogue = self._dialogues.known(user_id, conversation_id)
        found = await self._memory.conversations.read(user_id, conversation_id)
        privacy = _privacy(dialogue, found)
        if found is None and privacy != "normal":
            unstored = self._memory.for_privacy(privacy).conversations
            found = await unstored.read(user_id, conversation_id)
        if found is None and dialogue is not None and _is_unstored(dialogue):
            found = _just_begun(conversation_id, dialogue)
        if found is None:
            raise ConversationNotFound
        return ConversationWithPrivacy(found, privacy)

    async def messages(
        self, user_id: str, conversation_id: UUID, limit: int, before: int | None = None
    ) -> MessagePage:
        """The newest messages that are stored, or those before the position that a page ended at.
        What was said incognito is shown to nobody but who said it. Raises ConversationNotFound."""
        await self.find(user_id, conversation_id)
        return await self._memory.conversations.page(
            user_id, conversation_id, limit, before or LATEST_POSITION
        )

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> ConversationWithPrivacy:
        """Raises ConversationNotFound."""
        talk = await self.find(user_id, conversation_id)
        for store in (self._memory, self._memory.for_privacy(talk.privacy)):
            renamed = await store.conversations.rename(user_id, conversation_id, title, origin)
            if renamed is not None:
                return ConversationWithPrivacy(renamed, talk.privacy)
        raise ConversationNotFound

    async def delete(self, user_id: str, conversation_id: UUID, origin: Origin) -> None:
        """Everything that was said in a conversation goes, stored or not; what was learned from it
        stays. Nothing may be answering in it. Raises ConversationNotFound."""
        talk = await self.find(user_id, conversation_id)
        await self._replies.drop(user_id, conversation_id)
        if talk.privacy != "normal":
            private = self._memory.for_privacy(talk.privacy)
            await private.conversations.remove(user_id, conversation_id, origin)
        await self._memory.deleting.delete(user_id, conversation_id, origin)
        self._dialogues.drop(user_id, conversation_id)

    async def drop_user(self, user_id: str) -> None:
        """Nothing is known of the user's conversations in this process any more, incognito ones
        included; what is stored of them stays."""
        await self._replies.drop(user_id)
        await self._memory.drop_incognito(user_id)
        self._dialogues.drop_user(user_id)


def _privacy(
    dialogue: ConversationState | None, stored: StoredConversation | None = None
) -> Privacy:
    known = None if dialogue is None else dialogue.privacy
    return known or ("normal" if stored is None else stored.privacy)


def _is_unstored(dialogue: ConversationState) -> bool:
    """Whether it has begun, incognito or with nothing stored of it: it can be gone on with."""
    return dialogue.privacy is not None and (dialogue.privacy != "normal" or not dialogue.is_stored)


def _just_begun(conversation_id: UUID, dialogue: ConversationState) -> StoredConversation:
    return StoredConversation(
        id=conversation_id,
        title=None,
        space=dialogue.space,
        created_at=dialogue.began,
        updated_at=dialogue.began,
    )
