"""What a conversation is about at this moment: what “that” means, and what Keepsake has asked."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from uuid import UUID

from memory.models import NewItem, Privacy

MAX_DIALOGUES = 1000


@dataclass(frozen=True)
class AskedToForget:
    """Whether these memories shall go."""

    ids: tuple[UUID, ...]
    for_good: bool


@dataclass(frozen=True)
class AskedToErase:
    """Whether everything of the user shall go."""


@dataclass(frozen=True)
class AskedWhichHolds:
    """Whether the newer of two memories replaces the older one."""

    doubt_id: UUID


Question = AskedToForget | AskedToErase | AskedWhichHolds


@dataclass
class Dialogue:
    """`mentioned` holds the memories of the last turn: those it kept, else those it recalled.
    `noticed` holds what was learned behind the last replies and has not been told yet."""

    space: str
    privacy: Privacy = "normal"
    mentioned: tuple[UUID, ...] = ()
    forgotten: tuple[UUID, ...] = ()
    last_said: UUID | None = None
    last_words: str | None = None
    refused: NewItem | None = None
    question: Question | None = None
    noticed: list[str] = field(default_factory=list)

    def start_over(self, privacy: Privacy) -> None:
        """Another privacy: nothing that was meant before is meant any more."""
        fresh = Dialogue(self.space, privacy)
        self.__dict__.update(fresh.__dict__)


class Dialogues:
    """The dialogues of this process; the least recently used one is dropped beyond
    MAX_DIALOGUES, and with it nothing but the meaning of “that”."""

    def __init__(self) -> None:
        self._dialogues: OrderedDict[tuple[str, UUID], Dialogue] = OrderedDict()

    def of(self, user_id: str, conversation_id: UUID, space: str) -> Dialogue:
        """The dialogue of a conversation, begun where there is none. Another space begins anew."""
        key = (user_id, conversation_id)
        dialogue = self._dialogues.get(key)
        if dialogue is None or dialogue.space != space:
            dialogue = self._dialogues[key] = Dialogue(space)
        self._dialogues.move_to_end(key)
        while len(self._dialogues) > MAX_DIALOGUES:
            self._dialogues.popitem(last=False)
        return dialogue

    def drop_user(self, user_id: str) -> None:
        for key in [key for key in self._dialogues if key[0] == user_id]:
            del self._dialogues[key]
