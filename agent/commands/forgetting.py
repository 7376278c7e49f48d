"""Forgetting by command: what goes is shown and asked about once, and can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from agent.commands.changing import asked_for
from agent.commands.command import Command
from agent.commands.said import listed_said, said_about, words_of
from agent.commands.which import listed, meant, read_living
from agent.commands.wishes import Aiming
from agent.talks.dialogue import AskedToErase, AskedToForget
from agent.turn.context import TurnContext
from agent.wording.wording import Wording
from memory.controls.said import Found
from memory.errors import Incognito
from memory.models import MAX_ITEM_CHARS, KeptItem
from memory.secrets import redact
from memory.store.forgetting.forgetting import History
from memory.store.forgetting.parts import Part


async def forget(command: Command, turn: TurnContext) -> str:
    """Names what would go, and asks. “Forget that” also keeps what was said last from being learned
    where it still waits for that."""
    _refuse_incognito(turn)
    if command.as_said:
        return await _forget_as_said(command, turn)
    last = turn.dialogue.last_said
    if command.about is None and not command.everything and last is not None:
        await turn.memory.learner.skip(turn.user_id, last)
    items = await meant(command, turn, removed=True)
    said = await said_about(command, items, turn)
    if said is not None:
        items = await turn.memory.forgetting.said.named(turn.user_id, said, items)
    elif not items:
        return _nothing_found(command, turn)
    return await _ask(items, said, turn, for_good=command.for_good)


async def _forget_as_said(command: Command, turn: TurnContext) -> str:
    """The same for a wish in whole words."""
    wishes = (command.about or "").splitlines()
    aiming = Aiming(turn.memory, turn.user_id, turn.space, turn.correlation_id)
    aim = await aiming.aim_of(wishes, points_back=command.points_back)
    if aim.is_last:
        return await forget(Command("forget", for_good=command.for_good), turn)
    if not aim.items and aim.said is None:
        return turn.say("not_understood", wish=" ".join(wishes))
    parts = await turn.memory.parting.parts(turn.user_id, aim.words, aim.items)
    return await _ask(aim.items, aim.said, turn, for_good=command.for_good, parts=parts)


async def _ask(
    items: Sequence[KeptItem],
    said: Found | None,
    turn: TurnContext,
    *,
    for_good: bool,
    parts: tuple[Part, ...] = (),
) -> str:
    ids = tuple(item.id for item in items)
    shown = await turn.memory.forgetting.preview(turn.user_id, ids) if ids else []
    asked = AskedToForget(ids, for_good, turn.correlation_id, said, parts)
    turn.dialogue.question = asked
    return _question(asked, shown, turn.wording)


def _question(asked: AskedToForget, shown: Sequence[KeptItem], wording: Wording) -> str:
    told = []
    if shown:
        name = "will_be_erased" if asked.for_good else "will_be_forgotten"
        told.append(wording.say(name, memories=listed(shown, wording, asked.parts)))
    if asked.said is not None:
        told.append(listed_said(asked.said, wording, beside=bool(shown)))
    choices = wording.say("conversations_lose_it" if asked.said is None else "or_choose")
    return "\n\n".join([*told, choices, wording.say("shall_i")])


async def let_go(asked: AskedToForget, turn: TurnContext, history: History = "redact") -> str:
    """Forgets what was shown."""
    said = None if history == "keep" else asked.said
    if not asked.ids and said is None:
        return turn.say("messages_stay")
    if said is not None:
        await turn.memory.forgetting.said.clear_copies(turn.user_id, said)
    forget_all = _let_memories_go if asked.ids else _unsay
    shown, messages = await forget_all(asked, said, turn, history)
    if said is not None:
        _mean_nothing_of(said, turn)
    turn.dialogue.mention(())
    turn.dialogue.replaced = ()
    turn.dialogue.unsaid = not asked.ids
    if asked.for_good:
        return turn.say("erased_for_good")
    if said is None:
        return turn.say("forgotten", memories=listed(shown, turn.wording, asked.parts))
    return _told_of_both(len(shown), messages, turn.wording)


async def _let_memories_go(
    asked: AskedToForget, said: Found | None, turn: TurnContext, history: History
) -> tuple[list[KeptItem], int]:
    """The memories that went, with what was said about them, and in how many messages that was."""
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
    return shown, forgotten.messages


async def _unsay(
    asked: AskedToForget, said: Found | None, turn: TurnContext, history: History
) -> tuple[list[KeptItem], int]:
    """No memory, and in how many messages it was."""
    if said is None:
        return [], 0
    return [], await turn.memory.forgetting.said.forget(
        turn.user_id, said, turn.origin, history=history, asked_in=asked.asked_in
    )


def _mean_nothing_of(said: Found, turn: TurnContext) -> None:
    """Nothing in this conversation speaks of it any more."""
    turn.unsaid += words_of(said)
    dialogue = turn.dialogue
    dialogue.last_said = dialogue.last_words = dialogue.refused = None


def _told_of_both(memories: int, messages: int, wording: Wording) -> str:
    """What was forgotten, without a word of it: the answer itself is stored."""
    where = wording.counted("message", messages)
    if not memories:
        return wording.say("said_is_forgotten", messages=where)
    return wording.say(
        "both_are_forgotten", memories=wording.counted("memory", memories), messages=where
    )


async def do_not_remember(command: Command, turn: TurnContext) -> str:
    """Nothing of this message is kept, neither now nor by what learns from it later; nothing that
    came before is touched. “Remember it anyway” keeps its words. What points back asks to forget
    what came before."""
    if command.points_back:
        return await forget(Command("forget"), turn)
    if turn.message_id is not None and turn.dialogue.privacy in {None, "normal"}:
        await turn.memory.learner.skip(turn.user_id, turn.message_id)
    leave_out(turn)
    return turn.say("left_out")


def leave_out(turn: TurnContext) -> None:
    """The words of the turn are kept only if the user says so: “remember it anyway”."""
    dialogue, words = turn.dialogue, redact(turn.unkept or turn.said)
    dialogue.refused = asked_for(words, turn) if len(words) <= MAX_ITEM_CHARS else None


async def undo(_command: Command, turn: TurnContext) -> str:
    """Brings back what was replaced in the last turn, else what was forgotten last, in this
    conversation or else in any."""
    if turn.dialogue.replaced:
        return await _undo_replacing(turn)
    if turn.dialogue.unsaid:
        turn.dialogue.unsaid = False
        return turn.say("said_is_gone")
    back = await turn.memory.forgetting.undo(
        turn.user_id, turn.dialogue.forgotten or None, turn.origin
    )
    turn.dialogue.forgotten = ()
    if not back:
        return turn.say("nothing_to_undo")
    items = await read_living(back, turn)
    turn.dialogue.mention(back)
    return turn.say("it_is_back", memories=listed(items, turn.wording))


async def _undo_replacing(turn: TurnContext) -> str:
    older, turn.dialogue.replaced = turn.dialogue.replaced, ()
    items = [
        await turn.memory.doubts.undo_supersede(turn.user_id, each, origin=turn.origin)
        for each in older
    ]
    return turn.say("both_hold_again", memories=listed(items, turn.wording))


async def erase_me(_command: Command, turn: TurnContext) -> str:
    _refuse_incognito(turn)
    turn.dialogue.question = AskedToErase()
    return turn.say("shall_i_erase_everything")


async def erase(turn: TurnContext) -> str:
    """Erases the user whole; this turn included."""
    await turn.memory.portability.erase_everything(turn.user_id)
    turn.erased = True
    return turn.say("everything_is_erased")


def _nothing_found(command: Command, turn: TurnContext) -> str:
    if command.everything:
        return turn.say("nothing_is_known")
    if command.about is None:
        unsaid = turn.dialogue.last_said is None
        return turn.say("no_memory_is_meant" if unsaid else "not_in_memory")
    return turn.say("nothing_about", about=command.about)


def _refuse_incognito(turn: TurnContext) -> None:
    """Raises Incognito before anything is asked that could not be done."""
    if turn.dialogue.privacy not in {None, "normal"}:
        raise Incognito
