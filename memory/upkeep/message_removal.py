"""What is to be removed of the messages that tell of forgotten memories. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from uuid import UUID

from memory.store.conversations.messages import title_of
from memory.store.forgetting.erasing import Condemned, RelatedMessage, Remains, Removal
from memory.upkeep.episode_redaction import unlearned
from memory.upkeep.redaction import MARK, holds, redact_about


def decide(remains: Remains, *, caches_cleared: bool = True) -> Removal:
    """What the user chose for each memory's conversations: to keep them as they are, to redact the
    sentences about it, or to delete the messages that hold one. `caches_cleared` is counted."""
    work = _Work(remains, caches_cleared=caches_cleared)
    for doomed in remains.condemned:
        work.remove(doomed)
        work.remove_from_episodes(doomed)
    return work.removal()


class _Work:
    """One memory after the other, each on what the ones before it left."""

    def __init__(self, remains: Remains, *, caches_cleared: bool) -> None:
        self._caches_cleared = caches_cleared
        self._remains = remains
        self._said: dict[UUID, str] = {each.id: each.content for each in remains.messages}
        self._titles: dict[UUID, str | None] = dict(remains.titles)
        self._episodes = {each.id: each for each in remains.episodes}
        self._taken: list[UUID] = []
        self._counts: dict[UUID, Counter[str]] = {}

    def remove(self, doomed: Condemned) -> None:
        counts = self._counts[doomed.id] = Counter(caches_cleared=int(self._caches_cleared))
        if doomed.content is None:
            return
        counts.update(items=1, search_rows=1, vectors=int(doomed.has_vector))
        if doomed.history == "keep":
            return
        messages = self._remains.messages
        turns = _turns_about(doomed.id, doomed.content, doomed.sources, messages)
        for message in messages:
            if message.id not in self._taken:
                self._from_message(doomed, doomed.content, message, turns)
        chats = {each.conversation_id for each in messages if each.correlation_id in turns}
        for chat, title in self._titles.items():
            if title is None:
                continue
            # What a person called a conversation about it names it in a word or two.
            left = redact_about(title, doomed.content, closely=chat in chats)
            if left != title:
                self._titles[chat] = left or None
                counts["titles_redacted"] += 1

    def remove_from_episodes(self, doomed: Condemned) -> None:
        """Whatever becomes of the conversations: an episode is none."""
        if doomed.content is None:
            return
        for episode in self._episodes.values():
            left = unlearned(episode, [doomed.content])
            if left != episode:
                self._episodes[episode.id] = left
                self._counts[doomed.id]["episodes_redacted"] += 1

    def removal(self) -> Removal:
        messages = self._remains.messages
        before = {each.id: each.content for each in messages}
        reworded = {
            key: text
            for key, text in self._said.items()
            if text != before[key] and key not in self._taken
        }
        touched = {*reworded, *self._taken}
        return Removal(
            reworded=reworded,
            taken=tuple(self._taken),
            chats=frozenset(each.conversation_id for each in messages if each.id in touched),
            titles={
                chat: title
                for chat, title in self._titles.items()
                if title != self._remains.titles[chat]
            },
            counts=self._counts,
            episodes=tuple(
                self._episodes[each.id]
                for each in self._remains.episodes
                if self._episodes[each.id] != each
            ),
        )

    def _from_message(
        self, doomed: Condemned, content: str, message: RelatedMessage, turns: set[UUID]
    ) -> None:
        said = self._said[message.id]
        left = redact_about(said, content, closely=message.correlation_id in turns)
        if left == said and message.id in doomed.sources and MARK not in said:
            left = MARK
        if left == said:
            return
        counts = self._counts[doomed.id]
        if doomed.history == "delete":
            self._taken.append(message.id)
            counts["messages_deleted"] += 1
            left = ""
        else:
            self._said[message.id] = left
            counts["messages_redacted"] += 1
        if self._titles.get(message.conversation_id) == title_of(said) is not None:
            self._titles[message.conversation_id] = title_of(left)
            counts["titles_redacted"] += 1


def _turns_about(
    item_id: UUID, content: str, sources: Collection[UUID], messages: Iterable[RelatedMessage]
) -> set[UUID]:
    """The turns in which it was said, recalled or quoted: what the user asked in those names it."""
    return {
        each.correlation_id
        for each in messages
        if each.id in sources
        or each.rested_on & {item_id, *sources}
        or holds(each.content, content)
    }
