"""What a correction of a memory's words means: which memory it names, and what that says then."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from uuid import UUID

from memory.actions.matching import MemoryMatcher, find_names_of, is_living
from memory.ingestion.deduplication import same_words
from memory.retrieval.query import content_words
from memory.secrets import is_redacted
from memory.store.memory_entries import MemoryEntryStore
from memory.types import StoredMemory
from memory.understanding.corrections import CorrectionReading, load_correction_reader

_WORD = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")
_OWNS = re.compile(r"['’]s$")


@dataclass(frozen=True)
class Correction:
    """What is `said`, None where it was typed as a whole, with the words in it that name what is
    corrected (`about`), that are wrong (`old`) and that are right (`new`); each None where there
    are none."""

    said: str | None = None
    about: str | None = None
    old: str | None = None
    new: str | None = None

    def __post_init__(self) -> None:
        """Of “my aunt's name” the last word names the thing, and is not what Eva stands for."""
        named = _telling(self.about or "") - _telling(self.old or "")
        inside = bool(named) and find_words(self.about or "", self.old) is not None
        if inside and self.old and self.new and _shape(self.old) != _shape(self.new):
            object.__setattr__(self, "old", None)

    @property
    def has_text(self) -> bool:
        """Whether the new words stand behind a colon or on a line of their own, as a text does
        that something is to be done with."""
        return self._is_behind_colon(self.new)

    @property
    def names(self) -> str | None:
        """The words that memory has to hold; none where they are a part of such a text."""
        if self.about is not None and self._is_behind_colon(self.about):
            return None
        return _without_end(self.about or self.old)

    def _is_behind_colon(self, words: str | None) -> bool:
        before, found, _ = (self.said or "").partition(words or "\0")
        return bool(found) and (":" in before or "\n" in before)


@dataclass(frozen=True)
class Rewording:
    """A memory and what it is to say, None where no new words were given. `exact` says that
    nothing else goes than what was named as wrong, or the one word beside what was named."""

    item: StoredMemory
    content: str | None
    exact: bool


@dataclass(frozen=True)
class _Word:
    start: int
    end: int
    text: str
    key: str
    tells: bool


def find_words(content: str, words: str | None) -> re.Match[str] | None:
    """Where the words stand, whole."""
    if not words:
        return None
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", content, re.IGNORECASE)


def reword(content: str, wanted: Correction) -> tuple[str | None, bool]:
    """The new content, and whether it is exact."""
    wanted = _completed(content, wanted)
    new, place = wanted.new, find_words(content, wanted.old)
    if not new:
        return None, False
    if place is not None:
        before = content[: place.start()]
        twice = len(before) if new[: len(before)].casefold() == before.casefold() else 0
        return _put(content, place.start(), place.end(), new[twice:]), True
    if wanted.about is None or wanted.said is None:
        return new, not _drops_most(content, new)
    for attempt in (_named_anew, _merged, _value_put):
        found = attempt(content, wanted.about, new)
        if found is not None:
            return found
    return new, False


def _completed(content: str, wanted: Correction) -> Correction:
    """With the old and the new words where only their place in the memory tells which is which:
    of “my aunt is Ida, not Eva” what the memory holds is the old."""
    given = wanted.new is not None and find_words(content, wanted.new) is None
    if wanted.about is None or given:
        return wanted
    lacking = _last_run(wanted.about, without=content)
    if lacking is None:
        return wanted
    outside = (wanted.said or "").replace(wanted.about, " ")
    old = wanted.old or wanted.new or _last_run(content, without=wanted.about, within=outside)
    return replace(wanted, old=old, new=lacking)


def _last_run(text: str, *, without: str, within: str | None = None) -> str | None:
    """The last telling words of the text, side by side, that the other text lacks; those that
    stand `within` one where that is given."""
    known = {each.key for each in _words(without)}
    there = None if within is None else {each.key for each in _words(within)}
    words = _words(text)
    free = [
        each.tells and each.key not in known and (there is None or each.key in there)
        for each in words
    ]
    if True not in free:
        return None
    last = first = len(free) - 1 - free[::-1].index(True)
    while first > 0 and free[first - 1]:
        first -= 1
    return text[words[first].start : words[last].end]


def _between(words: Sequence[_Word], places: Sequence[int]) -> list[tuple[int, _Word]]:
    return [(at, words[at]) for at in range(places[0], places[-1] + 1)]


def _named_anew(content: str, about: str, new: str) -> tuple[str, bool] | None:
    """“My sister's name” is where her name stands."""
    names = find_names_of(about, [content])
    if len(names) != 1 or not new[:1].isupper() or _telling(about) <= _telling(content):
        return None
    place = find_words(content, names[0])
    return None if place is None else (_put(content, place.start(), place.end(), new), False)


def _merged(content: str, about: str, new: str) -> tuple[str, bool] | None:
    """Where the new words repeat some of the memory they replace what stands beside those, and
    nothing else of it."""
    before, after = _words(content), _words(new)
    named = {each.key for each in _words(about)}
    shared = {each.key for each in before} & {each.key for each in after if each.tells} - named
    if not shared:
        return None
    matcher = SequenceMatcher(
        None, [each.key for each in before], [each.key for each in after], autojunk=False
    )
    found, put = content, 0
    for kind, start, end, first, last in reversed(matcher.get_opcodes()):
        tells = any(each.tells for each in after[first:last])
        if kind not in {"replace", "insert"} or not tells:
            continue
        words = new[after[first].start : after[last - 1].end]
        if start == end:
            at = before[end].start if end < len(before) else len(content)
            found = _put(found, at, at, f"{words} " if end < len(before) else f" {words}")
            continue
        out = before[start:end] if end == len(before) else before[start:end][first - last :]
        if first == 0 and _shape(out[-1].text) != _shape(after[last - 1].text):
            continue  # a pronoun for what is named
        found = _put(found, out[0].start, out[-1].end, words)
        put += sum(each.tells for each in out)
    return found, put <= 1


def _shape(words: str) -> tuple[bool, bool]:
    """Whether they begin like a number, and like a name."""
    return words[:1].isdecimal(), words[:1].isupper()


def _value_put(content: str, about: str, new: str) -> tuple[str, bool] | None:
    """In the place of what the memory says of what is named: what follows it, or the one number;
    where nothing follows, or a name stands for a name, what is named is what goes."""
    words, named = _words(content), _telling(about)
    at_named = [at for at, each in enumerate(words) if each.key in named]
    beside = [at for at, each in enumerate(words) if each.tells and each.key not in named]
    following = [at for at in beside if at_named and at > at_named[-1]]
    numbers = [at for at in beside if words[at].key[:1].isdigit()]
    if new[:1].isdigit() and len(numbers) == 1 and len(_words(new)) == 1:
        following = numbers
    renames = all(each.text[:1].isupper() for each in _words(f"{about} {new}"))
    is_run = bool(at_named) and len(at_named) == len(_between(words, at_named))
    if is_run and (renames or not following):
        start, end = words[at_named[0]].start, words[at_named[-1]].end
        return _put(content, start, end, new), not following
    if not following:
        return None
    start, end = words[following[0]].start, words[following[-1]].end
    return _put(content, start, end, new), beside == following and len(following) == 1


def _drops_most(content: str, new: str) -> bool:
    """Whether more of the telling words go than stay."""
    told = _telling(content)
    gone = told - {each.key for each in _words(new)}
    return 2 * len(gone) > len(told)


def _without_end(words: str | None) -> str | None:
    """Without the words behind that tell nothing."""
    told = [each for each in _words(words or "") if each.tells]
    return words[: told[-1].end] if words and told else words


def _telling(text: str) -> set[str]:
    return {each.key for each in _words(text) if each.tells}


def _words(text: str) -> list[_Word]:
    telling = content_words(text)
    found = []
    for each in _WORD.finditer(text):
        key = _OWNS.sub("", each[0].casefold())
        tells = not telling.isdisjoint(content_words(key))
        found.append(_Word(each.start(), each.end(), each[0], key, tells))
    return found


def _put(content: str, start: int, end: int, new: str) -> str:
    return content[:start] + new + content[end:]


@dataclass(frozen=True)
class CorrectedMemory:
    """A memory that a message corrects, what it is to say, and the words of the message in that."""

    item: StoredMemory
    content: str
    new: str


# So many are read beside a message: of those that hold the most words of it, of the nearest.
_MOST_READ = 8
_MOST_CHARACTERS = 600


class CorrectionFinder:
    """Finds what a correction is of among the living memories of a space."""

    def __init__(self, store: MemoryEntryStore, matcher: MemoryMatcher) -> None:
        self._store = store
        self._matcher = matcher

    async def corrected(
        self, user_id: str, space: str, said: str, spoken_of: Collection[UUID]
    ) -> CorrectedMemory | None:
        """What a message surely corrects, of what was spoken of and what is near; None where that
        is nothing, where most of a memory would go or another one says the same, and of a message
        that is long or of which a secret was taken out."""
        if len(said) > _MOST_CHARACTERS or is_redacted(said):
            return None
        near = await self._matcher.nearest(user_id, space, said, _MOST_READ)
        last = list(spoken_of)[:_MOST_READ]
        known = await self._store.read_several(user_id, last) if last else {}
        spoken = [each for each in known.values() if is_living(each) and each.space == space]
        items = list({each.id: each for each in (*spoken, *near)}.values())
        contents = [each.content for each in items]
        read = await asyncio.to_thread(lambda: load_correction_reader().read(said, contents))
        told = zip(read, items, strict=True)
        best, item = max(told, key=lambda pair: pair[0].share, default=(CorrectionReading(0), None))
        if item is None or not best.is_sure or best.content is None or best.new is None:
            return None
        is_there = any(same_words(each.content, best.content) for each in items)
        if is_there or _drops_most(item.content, best.content) or is_redacted(best.content):
            return None
        return CorrectedMemory(item, best.content, best.new)

    async def find(
        self, user_id: str, space: str, wanted: Correction, spoken_of: Collection[UUID]
    ) -> list[Rewording]:
        """The memories that hold what is named, those that were spoken of before others; where
        nothing is named, what was spoken of, or what the new words say otherwise. Empty where no
        memory is meant."""
        known = await self._store.all(user_id, space)
        heard, wanted = wanted, _as_held(wanted, known)
        guessed = wanted != heard and wanted.about is None
        named = wanted.names
        if named is None or not await self._matcher.telling_words(user_id, named):
            spoken = [(each, True) for each in known if each.id in spoken_of]
            meant = [each for each in spoken if _share(each[0].content, wanted.new or "")]
            meant = meant or await self._told_anew(user_id, space, wanted)
            meant = meant or ([] if wanted.has_text else spoken)
        else:
            meant = await self._named(user_id, space, wanted, known)
        meant = [each for each in meant if each[0].id in spoken_of] or meant
        return [_rewording(item, wanted, sure and not guessed) for item, sure in meant]

    async def of(self, user_id: str, item_id: UUID, wanted: Correction) -> list[Rewording]:
        """Of a memory that is known to be meant. Empty where it is gone."""
        known = await self._store.read_several(user_id, [item_id])
        living = [each for each in known.values() if is_living(each)]
        return [_rewording(each, wanted, sure=True) for each in living]

    async def _told_anew(
        self, user_id: str, space: str, wanted: Correction
    ) -> list[tuple[StoredMemory, bool]]:
        """What the new words say otherwise: “I live in Oslo now” where another town stands."""
        told = Correction(wanted.said, about=wanted.new)
        if wanted.said is None or wanted.new is None:
            return []
        found = await self._matcher.naming(user_id, space, wanted.new)
        return [(item, not wanted.has_text) for item, _ in found if _holds(item.content, told)]

    async def _named(
        self, user_id: str, space: str, wanted: Correction, known: Sequence[StoredMemory]
    ) -> list[tuple[StoredMemory, bool]]:
        """With whether each holds all that is named; where some do, those alone."""
        found = await self._matcher.naming(user_id, space, wanted.names or "")
        near = {item.id for item, _ in found}
        full = any(holds for _, holds in found)
        wrong = wanted.old or (None if full else wanted.new)
        holding = [each for each in known if find_words(each.content, wrong)]
        both = [(each, True) for each in holding if each.id in near or _holds(each.content, wanted)]
        if both or (holding and wanted.old):
            return both
        whole = [each for each in found if each[1]] or found
        return [(item, holds or _holds(item.content, wanted)) for item, holds in whole]


def _as_held(wanted: Correction, known: Sequence[StoredMemory]) -> Correction:
    """Of “my aunt is Ida, not Eva” those words are wrong that memory holds, whichever were heard as
    wrong; “change Eva to Ida” says itself which are."""

    def is_held(words: str | None) -> bool:
        return any(find_words(each.content, words) for each in known)

    about, old, new = wanted.about, wanted.old, wanted.new
    claims = about is None or (about != old and find_words(about, old) is not None)
    swapped = wanted.said is not None and claims and is_held(new) and not is_held(old)
    return replace(wanted, old=new, new=old) if swapped and old is not None else wanted


def _holds(content: str, wanted: Correction) -> bool:
    """Whether it holds what is named besides the old and the new words."""
    told = _completed(content, wanted)
    beside = _telling(told.about or "") - _telling(told.new or "") - _telling(told.old or "")
    return bool(beside or wanted.old) and beside <= _telling(content)


def _rewording(item: StoredMemory, wanted: Correction, sure: bool) -> Rewording:
    content, exact = reword(item.content, wanted)
    return Rewording(item, content, exact and sure)


def _share(content: str, new: str) -> bool:
    return bool(_telling(content) & _telling(new))
