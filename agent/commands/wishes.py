"""What a wish to forget means, found in memory and in past talk by all of its words: how it is put
is never looked at (docs/decisions/0028-wishes-to-forget.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memory.controls.finding import Meant, Word
from memory.controls.said import Found
from memory.models import KeptItem
from memory.service import Memory

# Past talk is looked for by the last words of a wish, where most languages name what they mean.
_LAST_WORDS = 3
# As many and more say more than “what I just told you”; the first of fewer is the wish itself.
_FEW_WORDS = 3


@dataclass(frozen=True)
class Aim:
    """What wishes mean: memories, and what was `said` of it. `is_last` where they mean what was
    learned last, whatever that is; `named` where they share words with what they mean, and `words`
    are those of each memory."""

    items: tuple[KeptItem, ...] = ()
    said: Found | None = None
    is_last: bool = False
    named: bool = False
    words: Mapping[UUID, tuple[Word, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Aiming:
    """Looks in the user's memories and past talk of a space, but for the turn `not_turn`."""

    memory: Memory
    user_id: str
    space: str
    not_turn: UUID | None = None

    async def aim_of(self, wishes: Sequence[str], *, points_back: bool = False) -> Aim:
        """All of what the wishes mean; past talk only for the first that means some. What names
        nothing and `points_back` means what was told last."""
        aims = [await self._aim_of(each, points_back) for each in wishes]
        items = {item.id: item for aim in aims for item in aim.items}
        said = next((aim.said for aim in aims if aim.said is not None), None)
        is_last = not items and said is None and any(aim.is_last for aim in aims)
        words = {
            each: tuple(word for aim in aims for word in aim.words.get(each, ())) for each in items
        }
        return Aim(tuple(items.values()), said, is_last, any(aim.named for aim in aims), words)

    async def _aim_of(self, wish: str, points_back: bool) -> Aim:
        meant = await self.memory.entries.meant(self.user_id, self.space, wish)
        named = any(each.words for each in meant)
        words = await self.memory.entries.telling_words(self.user_id, wish)
        bare = not named and len(words) < _FEW_WORDS and points_back
        topics = _topics(meant, words[1:] if bare else words)
        said = await self._said(topics, meant)
        if bare and said is None:
            return Aim(is_last=True)
        items = [each.item for each in meant]
        if said is not None:
            items = await self.memory.forgetting.said.named(self.user_id, said, items)
        telling = {each.item.id: each.telling for each in meant}
        return Aim(tuple(items), said, named=named or said is not None, words=telling)

    async def _said(self, topics: Sequence[str], meant: Sequence[Meant]) -> Found | None:
        """Of the first topic of which the user said something before this turn."""
        known = [each.item.content for each in meant]
        for topic in topics:
            found = await self.memory.forgetting.said.find(
                self.user_id, self.space, topic, known=known, not_turn=self.not_turn
            )
            if found is not None and _is_the_users(found):
                return found
        return None


def _is_the_users(found: Found) -> bool:
    return any(each.message.role == "user" for each in found.telling)


def _topics(meant: Sequence[Meant], words: Sequence[str]) -> list[str]:
    """What past talk may be about: the words that the wish shares with the best memory, else its
    last ones, as many as are held, and what it names."""
    if meant and meant[0].words:
        return [" ".join(meant[0].words)]
    last = range(max(0, len(words) - _LAST_WORDS), len(words))
    return [*(" ".join(words[at:]) for at in last), *(each for each in words[1:] if each.istitle())]
