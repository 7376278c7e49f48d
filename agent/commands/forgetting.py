"""Forgetting by command: what a wish means is found and shown, asked about once, and can be
undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from uuid import UUID

from agent.commands.display import (
    NOTHING_KNOWN,
    NOTHING_MEANT,
    format_memories,
    read_current,
    resolve_target,
)
from agent.commands.memories import refuse_incognito, withhold_message
from agent.commands.parser import HISTORY_CHOICES, MEMORY_NUMBER, MESSAGE_CHOICES, Command
from agent.conversations.state import EraseQuestion, ForgetQuestion
from agent.turn.context import TurnContext
from agent.turn.notices import NOT_KEPT
from memory.actions.forgetting.transcript_redaction import MessageRedaction, TranscriptMatches
from memory.actions.matching import MEANT_FROM, SURELY_MEANT, MatchedMemory
from memory.ingestion.normalisation import normalise
from memory.secrets import redact_quickly
from memory.service import MemoryService
from memory.store.forgetting import HistoryChoice, PartialForgetting
from memory.types import StoredMemory

MESSAGES_SHOWN = 5
# Characters of each.
MESSAGE_SHOWN_CHARS = 160
_SPEAKERS = {"user": "you", "assistant": "I"}


async def find_messages_about(
    command: Command, items: Sequence[StoredMemory], turn: TurnContext
) -> TranscriptMatches | None:
    """What was said about what the command names; None where it names nothing, or a number. This
    turn is left out."""
    if command.about is None or command.everything or MEMORY_NUMBER.fullmatch(command.about):
        return None
    found = await turn.memory.forgetting.said.find(
        turn.user_id,
        turn.space,
        command.about,
        known=[item.content for item in items],
        not_turn=turn.correlation_id,
    )
    return without_previews(found)


def without_previews(found: TranscriptMatches | None) -> TranscriptMatches | None:
    """Without what was only asked about it, and the wishes that were: they go too, and tell
    nothing of it. None where nothing else is left."""
    if found is None:
        return None
    asked = {each.message.correlation_id for each in found.telling if _is_preview(each)}
    telling = tuple(
        each
        for each in found.telling
        if not _is_preview(each) and not (each.takes_all and each.message.correlation_id in asked)
    )
    return replace(found, telling=telling) if telling else None


def _is_preview(going: MessageRedaction) -> bool:
    message = going.message
    return message.role == "assistant" and any(own in message.content for own in _ASKED)


def format_messages(found: TranscriptMatches, *, beside: bool) -> str:
    """The sentences that would go, the user's first and the newest first, each wording once: the
    first MESSAGES_SHOWN, and how many more. `beside` memories that go too."""
    quotes = list(_quotes(found))
    lines = [_line(going, words) for going, words in quotes[:MESSAGES_SHOWN]]
    if len(quotes) > MESSAGES_SHOWN:
        lines.append(f"- and {len(quotes) - MESSAGES_SHOWN} more")
    also = " also" if beside else ""
    head = f"From our conversations this will{also} be taken out, and cannot be brought back:"
    return "\n\n".join([head, "\n".join(lines)])


def user_passages(found: TranscriptMatches) -> list[str]:
    """Every sentence of it that the user said."""
    return [
        words for going in found.telling if going.message.role == "user" for words in going.passages
    ]


def with_count(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def _quotes(found: TranscriptMatches) -> Iterator[tuple[MessageRedaction, str]]:
    by_newest = sorted(found.telling, key=lambda each: each.message.created_at, reverse=True)
    said = set[str]()
    for going in sorted(by_newest, key=lambda each: each.message.role != "user"):
        for words in going.passages:
            if normalise(words) not in said:
                said.add(normalise(words))
                yield going, words


def _line(going: MessageRedaction, words: str) -> str:
    message = going.message
    who = _SPEAKERS.get(message.role, message.role)
    return f"- {_day(message.created_at)}, {who}: “{_cut(redact_quickly(words))}”"


def _cut(words: str) -> str:
    words = " ".join(words.split())
    if len(words) <= MESSAGE_SHOWN_CHARS:
        return words
    return f"{words[:MESSAGE_SHOWN_CHARS].rsplit(' ', 1)[0]} …"


def _day(at: datetime) -> str:
    return f"{at.astimezone():%d %B %Y}".lstrip("0")


# Past talk is looked for by the last words of a wish, where most languages name what they mean.
_LAST_WORDS = 3
# Of one message.
_MOST_WISHES = 8
# More characters are not read at once.
_READ_TOGETHER = 240
# As many and more say more than “what I just told you”; the first of fewer is the wish itself.
_FEW_WORDS = 3


@dataclass(frozen=True)
class ForgetTarget:
    """What wishes mean: memories, each with the `wishes` that mean it, and what was `said` of it.
    `is_last` where they mean what was learned last, whatever that is; `named` where they share
    words with what they mean. `unknown` is what they name and nothing is known of."""

    items: tuple[StoredMemory, ...] = ()
    said: TranscriptMatches | None = None
    is_last: bool = False
    named: bool = False
    wishes: Mapping[UUID, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForgetTargetFinder:
    """Looks in the user's memories and past talk of a space, but for the turn `not_turn`. What a
    wish means is judged beside each memory (docs/decisions/0028-wishes-to-forget.md)."""

    memory: MemoryService
    user_id: str
    space: str
    not_turn: UUID | None = None

    async def find_target(self, command: Command) -> ForgetTarget:
        """All of what the wishes mean, first together, since one may say what stays of what another
        means, and surely each by itself; past talk only for the first that means some. What names
        nothing and points back means what was told last."""
        told = [*zip_longest((command.about or "").splitlines(), command.named, fillvalue="")]
        told, alone = told[:_MOST_WISHES], len(told) == 1
        together = " ".join(wish for wish, _ in told)
        if not alone and len(together) <= _READ_TOGETHER:
            told.insert(0, (together, ""))
        aims = [
            await self._aim_of(*each, command.points_back, alone or each[0] == together)
            for each in told
        ]
        items = {item.id: item for aim in aims for item in aim.items}
        said = next((aim.said for aim in aims if aim.said is not None), None)
        return ForgetTarget(
            tuple(items.values()),
            said,
            is_last=not items and said is None and any(aim.is_last for aim in aims),
            named=any(aim.named for aim in aims),
            wishes={each: wish for aim in reversed(aims) for each, wish in aim.wishes.items()},
            unknown=tuple(words for aim in aims for words in aim.unknown),
        )

    async def _aim_of(self, wish: str, what: str, points_back: bool, may_be: bool) -> ForgetTarget:
        """What it surely means, or `may_be` only probably."""
        entries = self.memory.entries
        least = MEANT_FROM if may_be else SURELY_MEANT
        meant = await entries.meant(self.user_id, self.space, wish, least)
        words = await entries.telling_words(self.user_id, wish)
        named = any(each.words for each in meant)
        bare = not named and len(words) < _FEW_WORDS and points_back
        meant = [] if bare else meant
        said = await self._said(wish, _topics(meant, words[1:] if bare else words), meant)
        if bare and said is None:
            return ForgetTarget(is_last=True)
        unknown = None if said is not None else await self._unknown_word(what)
        return ForgetTarget(
            tuple(each.item for each in meant),
            said,
            named=named or said is not None,
            wishes={each.item.id: wish for each in meant},
            unknown=(unknown,) if unknown else (),
        )

    async def _unknown_word(self, what: str) -> str | None:
        """The last word of what is named, which mostly tells what it is, where no memory holds
        it."""
        entries = self.memory.entries
        *_, last = ["", *await entries.telling_words(self.user_id, what)]
        held = last and await entries.holding(self.user_id, self.space, last)
        return None if held else last or None

    async def _said(
        self, wish: str, topics: Sequence[str], meant: Sequence[MatchedMemory]
    ) -> TranscriptMatches | None:
        """Of the first topic of which the user said something before this turn that the wish
        means."""
        known = [each.item.content for each in meant]
        for topic in topics:
            found = await self.memory.forgetting.said.find(
                self.user_id, self.space, topic, wish=wish, known=known, not_turn=self.not_turn
            )
            found = without_previews(found)
            if found is not None and _is_the_users(found):
                return found
        return None


def _is_the_users(found: TranscriptMatches) -> bool:
    return any(each.message.role == "user" for each in found.telling)


def _topics(meant: Sequence[MatchedMemory], words: Sequence[str]) -> list[str]:
    """What past talk may be about: the words that the wish shares with the best memory, else its
    last ones, as many as are held, and what it names."""
    if meant and meant[0].words:
        return [" ".join(meant[0].words)]
    last = range(max(0, len(words) - _LAST_WORDS), len(words))
    return [*(" ".join(words[at:]) for at in last), *(each for each in words[1:] if each.istitle())]


NOTHING_TO_UNDO = "There is nothing to undo."
SAID_IS_GONE = (
    "What was said is gone for good and cannot be brought back. Say “undo” once more to bring back "
    "what was forgotten from memory before it."
)
SAID_IS_KEPT = "All right, the messages stay as they are."
NOT_ERASED_YET = (
    "Forgotten, and you can't undo it. The cache cannot be reached just now, so it is not erased "
    "yet: that is done once the cache is back, and it will be gone within 7 days."
)
ERASED = "Everything I had of you is erased."
COPIES_LEFT = "Copies in a cache that could not be reached run out within 7 days."
UNDO_HINT = "Say “undo” within a day if you want that back."
NOT_UNDERSTOOD = (
    "I did not understand what to forget: “{wish}”. Say it with a word that stands in the memory."
)
UNKNOWN = "I know nothing about “{words}”."
_ASKED = (
    HISTORY_CHOICES,
    MESSAGE_CHOICES,
    *(each.partition("{")[0] for each in (NOT_UNDERSTOOD, UNKNOWN)),
)
ERASE = (
    "This erases everything I have of you, at once and for good: memories, conversations, "
    "settings and the log. /export FILE saves a copy first; /forget everything forgets the "
    "memories alone, and can be undone.\n\nShall I? Say yes or no."
)
NOT_IN_MEMORY = "Nothing of that is kept in memory; the conversation still has the words."


async def forget(command: Command, turn: TurnContext) -> str:
    """Names what would go, and asks. “Forget that” also keeps what was said last from being learned
    where it still waits for that; where a model passes it on, not before the answer."""
    refuse_incognito(turn)
    if command.as_said:
        return await _forget_as_said(command, turn)
    names_nothing = command.about is None and not command.everything
    last = turn.dialogue.last_message_id if names_nothing else None
    if last is not None and not command.proposed:
        await turn.memory.learner.skip(turn.user_id, last)
    items = await resolve_target(command, turn, removed=True)
    said = await find_messages_about(command, items, turn)
    if said is not None:
        items = await turn.memory.forgetting.said.named(turn.user_id, said, items)
    elif not items:
        return _nothing_found(command, turn)
    return await _ask(items, said, turn, for_good=command.for_good, unlearned=last)


async def _forget_as_said(command: Command, turn: TurnContext) -> str:
    """The same for a wish in whole words."""
    aiming = ForgetTargetFinder(turn.memory, turn.user_id, turn.space, turn.correlation_id)
    aim = await aiming.find_target(command)
    if aim.is_last:
        return await forget(Command("forget", for_good=command.for_good), turn)
    unknown = UNKNOWN.format(words="”, “".join(aim.unknown)) if aim.unknown else ""
    if not aim.items and aim.said is None:
        return unknown or NOT_UNDERSTOOD.format(wish=" ".join((command.about or "").splitlines()))
    parts = await turn.memory.parting.parts(turn.user_id, aim.wishes, aim.items)
    asked = await _ask(aim.items, aim.said, turn, for_good=command.for_good, parts=parts)
    return f"{unknown}\n\n{asked}" if unknown and aim.named else asked


async def _ask(
    items: Sequence[StoredMemory],
    said: TranscriptMatches | None,
    turn: TurnContext,
    *,
    for_good: bool,
    parts: tuple[PartialForgetting, ...] = (),
    unlearned: UUID | None = None,
) -> str:
    ids = tuple(item.id for item in items)
    shown = await turn.memory.forgetting.preview(turn.user_id, ids) if ids else []
    asked = ForgetQuestion(ids, for_good, turn.correlation_id, said, parts, unlearned)
    return turn.ask(replace(asked, text=_question(asked, shown)))


def _question(asked: ForgetQuestion, shown: Sequence[StoredMemory]) -> str:
    told = []
    if shown:
        how = "This will be erased for good" if asked.for_good else "This will be forgotten"
        told.append(f"{how}: {format_memories(shown, asked.parts)}")
    if asked.said is not None:
        told.append(format_messages(asked.said, beside=bool(shown)))
    choices = HISTORY_CHOICES if asked.said is None else MESSAGE_CHOICES
    return "\n\n".join([*told, choices, "Shall I? Say yes or no."])


async def forget_confirmed(
    asked: ForgetQuestion, turn: TurnContext, history: HistoryChoice = "redact"
) -> str:
    """Forgets what was shown."""
    said = None if history == "keep" else asked.said
    if not asked.ids and said is None:
        return SAID_IS_KEPT
    if asked.unlearned is not None:
        await turn.memory.learner.skip(turn.user_id, asked.unlearned)
    forget_all = _let_memories_go if asked.ids else _unsay
    shown, messages, erased = await forget_all(asked, said, turn, history)
    if said is not None:
        _mean_nothing_of(said, turn)
    turn.dialogue.mention(())
    turn.dialogue.replaced = ()
    turn.dialogue.unsaid = not asked.ids
    if asked.for_good:
        return "Erased for good." if erased else NOT_ERASED_YET
    if said is None:
        return f"Forgotten: {format_memories(shown, asked.parts)}\n\n{UNDO_HINT}"
    return describe_removal(len(shown), messages)


async def _let_memories_go(
    asked: ForgetQuestion, said: TranscriptMatches | None, turn: TurnContext, history: HistoryChoice
) -> tuple[list[StoredMemory], int, bool]:
    """The memories that went, with what was said about them, in how many messages that was, and
    whether they are erased."""
    shown = await turn.memory.forgetting.preview(turn.user_id, asked.ids)
    forgotten = await turn.memory.forgetting.forget(
        turn.user_id,
        asked.ids,
        turn.origin,
        for_good=asked.for_good,
        history=history,
        said=said,
        asked_in=asked.asked_in,
        parts=asked.parts,
    )
    turn.forgotten += shown
    turn.dialogue.forgotten = () if asked.for_good else forgotten.ids
    return shown, forgotten.messages, forgotten.erased


async def _unsay(
    asked: ForgetQuestion, said: TranscriptMatches | None, turn: TurnContext, history: HistoryChoice
) -> tuple[list[StoredMemory], int, bool]:
    """No memory, and in how many messages it was; it is gone from them at once."""
    if said is None:
        return [], 0, True
    messages = await turn.memory.forgetting.said.forget(
        turn.user_id, said, turn.origin, history=history, asked_in=asked.asked_in
    )
    return [], messages, True


def _mean_nothing_of(said: TranscriptMatches, turn: TurnContext) -> None:
    """Nothing in this conversation speaks of it any more."""
    turn.unsaid += user_passages(said)
    dialogue = turn.dialogue
    dialogue.last_message_id = dialogue.last_words = dialogue.refused = None


def describe_removal(memories: int, messages: int) -> str:
    """What was forgotten, without a word of it: the answer itself is stored."""
    where = with_count(messages, "message")
    if not memories:
        return f"Forgotten: what was said about it, in {where}. That cannot be undone."
    return (
        f"Forgotten: {with_count(memories, 'memory', 'memories')}, and what was said about it in "
        f"{where}.\n\nSay “undo” within a day if you want what was in memory back; what was said "
        "is gone for good."
    )


async def do_not_remember(command: Command, turn: TurnContext) -> str:
    """Nothing of this message is kept, neither now nor by what learns from it later; nothing that
    came before is touched. “Remember it anyway” keeps its words. What points back asks to forget
    what came before."""
    if command.points_back:
        return await forget(Command("forget"), turn)
    if turn.message_id is not None and turn.dialogue.privacy in {None, "normal"}:
        await turn.memory.learner.skip(turn.user_id, turn.message_id)
    withhold_message(turn)
    return NOT_KEPT


async def undo(_command: Command, turn: TurnContext) -> str:
    """Brings back what was replaced in the last turn, else what was forgotten or corrected last, in
    this conversation or else in any of the space."""
    if turn.dialogue.replaced:
        return await _undo_replacing(turn)
    if turn.dialogue.unsaid:
        turn.dialogue.unsaid = False
        return SAID_IS_GONE
    if not turn.dialogue.forgotten:
        return await _undo_last(turn)
    back = await turn.memory.forgetting.undo(turn.user_id, turn.dialogue.forgotten, turn.origin)
    turn.dialogue.forgotten = ()
    return await _brought_back(back, turn)


async def undo_asked(ids: Sequence[UUID], turn: TurnContext) -> str:
    """Brings these memories back, which were forgotten or replaced; without any, what was forgotten
    or corrected last."""
    if not ids:
        return await _undo_last(turn)
    for each in ids:
        await turn.memory.restore(turn.user_id, each, turn.origin)
    return await _brought_back(ids, turn)


async def _undo_last(turn: TurnContext) -> str:
    """What was forgotten or corrected last in the space, in any conversation."""
    memory, space = turn.memory, turn.space
    item = await memory.entries.undo_edit(turn.user_id, turn.origin, space=space)
    if item is None:
        back = await memory.forgetting.undo(turn.user_id, None, turn.origin, space=space)
        return await _brought_back(back, turn)
    turn.kept.append(item)
    return f"Changed back: {format_memories([item])}"


async def _brought_back(ids: Sequence[UUID], turn: TurnContext) -> str:
    if not ids:
        return NOTHING_TO_UNDO
    items = await read_current(ids, turn)
    turn.dialogue.mention(ids)
    return f"It is back: {format_memories(items)}"


async def _undo_replacing(turn: TurnContext) -> str:
    older, turn.dialogue.replaced = turn.dialogue.replaced, ()
    items = [
        await turn.memory.doubts.undo_supersede(turn.user_id, each, origin=turn.origin)
        for each in older
    ]
    return f"Both hold again. It is back: {format_memories(items)}"


async def erase_me(_command: Command, turn: TurnContext) -> str:
    refuse_incognito(turn)
    return turn.ask(EraseQuestion(text=ERASE))


async def erase_user_data(turn: TurnContext) -> str:
    """Erases the user whole; this turn included."""
    assert turn.erase_user is not None
    erased = await turn.erase_user()
    turn.erased = True
    return ERASED if erased.caches_cleared else f"{ERASED} {COPIES_LEFT}"


def _nothing_found(command: Command, turn: TurnContext) -> str:
    if command.everything:
        return NOTHING_KNOWN
    if command.about is None:
        return NOTHING_MEANT if turn.dialogue.last_message_id is None else NOT_IN_MEMORY
    return (
        f"I have nothing in memory about “{command.about}”, and nothing was said about it in this "
        "space."
    )
