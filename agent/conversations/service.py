"""The conversations of a user, whether they are stored or live in this process alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from agent.conversations.session import ReplySaver
from agent.conversations.state import ConversationState, ConversationStates, Question
from memory.errors import ConversationNotFound
from memory.service import MemoryService
from memory.store.conversations import MessagePage
from memory.store.messages import LATEST_POSITION
from memory.types import Origin, Privacy, StoredConversation

# Where the incognito messages of a conversation end, and the stored ones from before begin.
_STORED = LATEST_POSITION


@dataclass(frozen=True)
class ConversationWithPrivacy:
    """A conversation, how private it is at this moment, and what this process asked in it last, if
    the next message may answer it."""

    conversation: StoredConversation
    privacy: Privacy
    question: Question | None = None
    question_in_reply: bool = False


class ConversationService:
    """Every method names its user. The id of somebody else's conversation is not found."""

    def __init__(
        self, memory: MemoryService, dialogues: ConversationStates, replies: ReplySaver
    ) -> None:
        self._memory = memory
        self._dialogues = dialogues
        self._replies = replies

    async def find(self, user_id: str, conversation_id: UUID) -> ConversationWithPrivacy:
        """Also one that has only been begun, and an incognito one as long as this process lives. A
        stored one that this process knows nothing of is as private as it was made last. Raises
        ConversationNotFound."""
        dialogue = self._dialogues.known(user_id, conversation_id)
        found = await self._memory.conversations.read(user_id, conversation_id)
        privacy = _privacy(dialogue, found)
        if found is None and privacy != "normal":
            unstored = self._memory.for_privacy(privacy).conversations
            found = await unstored.read(user_id, conversation_id)
        if found is None and privacy != "normal" and dialogue is not None:
            found = _just_begun(conversation_id, dialogue)
        if found is None:
            raise ConversationNotFound
        if dialogue is None:
            return ConversationWithPrivacy(found, privacy)
        return ConversationWithPrivacy(
            found, privacy, dialogue.question, dialogue.question_in_reply
        )

    async def messages(
        self, user_id: str, conversation_id: UUID, limit: int, before: int | None = None
    ) -> MessagePage:
        """The newest messages, or those before the position that a page ended at. Of a
        conversation that became incognito, what was said in it since comes first, at positions
        below zero; what is stored of it follows. Raises ConversationNotFound."""
        talk = await self.find(user_id, conversation_id)
        if talk.privacy == "normal" or (before is not None and before > 0):
            return await self._memory.conversations.page(
                user_id, conversation_id, limit, before or LATEST_POSITION
            )
        unstored = self._memory.for_privacy(talk.privacy).conversations
        upto = LATEST_POSITION if before is None else -before
        page = await unstored.page(user_id, conversation_id, limit, upto)
        if page.before is not None:
            return MessagePage(page.messages, -page.before)
        if not page.messages:
            return await self._memory.conversations.page(user_id, conversation_id, limit)
        stored = await self._memory.conversations.read(user_id, conversation_id)
        return MessagePage(page.messages, None if stored is None else _STORED)

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> ConversationWithPrivacy:
        """Raises ConversationNotFound."""
        talk = await self.find(user_id, conversation_id)
        for store in (self._memory, self._memory.for_privacy(talk.privacy)):
            renamed = await store.conversations.rename(user_id, conversation_id, title, origin)
            if renamed is not None:
                return replace(talk, conversation=renamed)
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
        """Nothing is known of the user's conversations in this process any more; what is stored
        of them stays."""
        await self._replies.drop(user_id)
        for conversation_id, dialogue in self._dialogues.of_user(user_id).items():
            if (privacy := _privacy(dialogue)) != "normal":
                unstored = self._memory.for_privacy(privacy).conversations
                await unstored.clear_conversation(user_id, conversation_id)
        self._dialogues.drop_user(user_id)


def _privacy(
    dialogue: ConversationState | None, stored: StoredConversation | None = None
) -> Privacy:
    known = None if dialogue is None else dialogue.privacy
    return known or ("normal" if stored is None else stored.privacy)


def _just_begun(conversation_id: UUID, dialogue: ConversationState) -> StoredConversation:
    return StoredConversation(
        id=conversation_id,
        title=None,
        space=dialogue.space,
        created_at=dialogue.began,
        updated_at=dialogue.began,
    )
