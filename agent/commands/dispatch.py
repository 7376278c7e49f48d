"""What a message asks of memory before any model sees it: a command by its name, or an answer to
what Keepsake asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import structlog

from agent.commands import corrections, display, forgetting, memories, modes
from agent.commands.corrections import edit_confirmed
from agent.commands.display import ANSWER_FIRST
from agent.commands.forgetting import erase_user_data, forget_confirmed
from agent.commands.parser import (
    Command,
    NamedYes,
    is_for_good,
    parse_choice,
    parse_yes_no,
    prefers_older,
    split_history_choice,
)
from agent.commands.slash import SPACE_SETTINGS, SlashCommand, look, memory_command
from agent.conversations.state import (
    CommandQuestion,
    ConversationState,
    EditQuestion,
    EraseQuestion,
    ForgetQuestion,
    PendingQuestion,
    ReplacementQuestion,
    WhichQuestion,
)
from agent.turn.context import TurnContext
from memory.errors import KeepsakeError
from memory.store.conflicts import ConflictAnswer
from memory.store.forgetting import HistoryChoice
from memory.understanding import CommandName

_SETTLED: Mapping[ConflictAnswer, str] = {
    "newer": "The new one holds from now on.",
    "older": "The old one still holds.",
    "both": "Both are kept.",
}
# What a yes may name where each is asked. Of everything not “forget that”, which also means
# “never mind”.
_NAMED: Mapping[type[PendingQuestion], tuple[NamedYes, ...]] = {
    ForgetQuestion: ("forget it", "erase all"),
    EraseQuestion: ("erase all",),
    ReplacementQuestion: ("new one", "replace it"),
    EditQuestion: ("new one", "replace it"),
}
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class QuestionAnswer:
    """`older` says that of two memories the older one holds; `history` is what becomes of the
    conversations of what is forgotten, and `for_good` that it is erased; `chosen` is the memory
    that a command means."""

    yes: bool = False
    older: bool = False
    history: HistoryChoice = "redact"
    for_good: bool = False
    chosen: UUID | None = None


async def answer_question(
    question: PendingQuestion, answer: QuestionAnswer, turn: TurnContext
) -> str:
    """Does what was asked about, or leaves it, and says so."""
    try:
        return await _answer(question, answer, turn)
    except KeepsakeError as error:
        _log.warning("not_obeyed", question=type(question).__name__, reason=type(error).__name__)
        return str(error)


async def _answer(question: PendingQuestion, answer: QuestionAnswer, turn: TurnContext) -> str:
    match question:
        case ReplacementQuestion(doubt_id):
            holds: ConflictAnswer = "older" if answer.older else "newer" if answer.yes else "both"
            outcome = await turn.memory.doubts.answer(
                turn.user_id, doubt_id, holds=holds, origin=turn.origin
            )
            turn.dialogue.replaced = tuple(each.id for each in outcome.older)
            return _SETTLED[holds]
        case _ if not answer.yes:
            return "All right, nothing is changed."
        case ForgetQuestion():
            asked = replace(question, for_good=question.for_good or answer.for_good)
            return await forget_confirmed(asked, turn, answer.history)
        case EraseQuestion():
            return await erase_user_data(turn)
        case EditQuestion():
            return await edit_confirmed(question, turn)
        case CommandQuestion() | WhichQuestion():
            return await _obey_confirmed(question, answer, turn)


CommandHandler = Callable[[Command, TurnContext], Awaitable[str]]

HANDLERS: Mapping[CommandName, CommandHandler] = {
    "remember": memories.remember,
    "remember_anyway": memories.remember_anyway,
    "edit": corrections.edit,
    "pin": memories.pin,
    "unpin": memories.unpin,
    "forget": forgetting.forget,
    "do_not_remember": forgetting.do_not_remember,
    "undo": forgetting.undo,
    "erase_me": forgetting.erase_me,
    "list": display.list_all,
    "about": display.about,
    "why": display.why,
    "audit": display.audit,
    "export": display.export,
    "import": display.import_,
    "memory_on": modes.memory_on,
    "memory_off": modes.memory_off,
    "memory_read_only": modes.memory_read_only,
    "incognito_on": modes.incognito_on,
    "incognito_read_only": modes.incognito_read_only,
    "incognito_off": modes.incognito_off,
}


async def dispatch_command(command: Command, turn: TurnContext) -> str:
    """What the user is told of it. What cannot be done is said in the words of its error. Terminal,
    tools and plain words all come through here."""
    try:
        return await HANDLERS[command.name](command, turn)
    except KeepsakeError as error:
        _log.warning("not_obeyed", command=command.name, reason=type(error).__name__)
        return str(error)


async def _obey_confirmed(
    asked: CommandQuestion | WhichQuestion, answer: QuestionAnswer, turn: TurnContext
) -> str:
    if isinstance(asked, WhichQuestion):
        return await HANDLERS[asked.command.name](replace(asked.command, item=answer.chosen), turn)
    if asked.item is not None:
        return await memories.keep_item(asked.item, turn)
    if asked.command.name == "undo":
        return await forgetting.undo_asked(asked.ids, turn)
    if asked.command.name == "do_not_remember":
        return memories.leave_out_asked(turn)
    if not asked.ids:
        return await HANDLERS[asked.command.name](asked.command, turn)
    turn.dialogue.mention(asked.ids)
    return await HANDLERS[asked.command.name](replace(asked.command, about=None), turn)


async def obey_typed(typed: SlashCommand, turn: TurnContext) -> str:
    """What is answered to it. Raises InvalidInput where it or its words are not known, and
    DatabaseUnavailable."""
    command = memory_command(typed)
    return await (look(typed, turn) if command is None else dispatch_command(command, turn))


_UNSTORED = {"incognito_on", "incognito_read_only", "incognito_off"}


# What these do is asked about first.
_ASKED = {"forget", "erase_me"}


@dataclass(frozen=True)
class Intent:
    """Commands, what was typed with a slash, or the answer to what Keepsake asked."""

    commands: tuple[Command, ...] = ()
    typed: SlashCommand | None = None
    question: PendingQuestion | None = None
    answer: QuestionAnswer | None = None

    @property
    def unstored(self) -> bool:
        """Whether the turn leaves no trace, as nothing typed with a slash does: that a
        conversation was incognito is one."""
        done = [each.name for each in self.commands]
        if isinstance(self.question, CommandQuestion):
            done.append(self.question.command.name)
        return self.typed is not None or not _UNSTORED.isdisjoint(done)

    @property
    def only_edits(self) -> bool:
        return bool(self.commands) and all(each.name == "edit" for each in self.commands)

    @property
    def sets_space(self) -> bool:
        """Whether it is about how conversations of the space begin, however private this one is."""
        return self.typed is not None and self.typed.name in SPACE_SETTINGS

    @property
    def leaves_out(self) -> bool:
        """Whether nothing of the message is to be kept: it is talk all the same, and answered."""
        return any(map(_leaves_out, self.commands))

    def without_leaving_out(self) -> Intent | None:
        """What is to be done now; None where that is nothing."""
        if not self.leaves_out:
            return self
        return self.without([each for each in self.commands if _leaves_out(each)])

    def without(self, commands: Sequence[Command]) -> Intent | None:
        """What is left beside these; None where that is nothing."""
        left = tuple(each for each in self.commands if each not in commands)
        return Intent(left) if left else None

    async def obey(self, turn: TurnContext) -> str:
        """Does it, and says so. What cannot be done is said as well, not raised. What has to be
        asked about comes last, and one question at a time."""
        if self.question is not None and self.answer is not None:
            return await answer_question(self.question, self.answer, turn)
        if self.typed is not None:
            return await _answer_typed(self.typed, turn)
        told = []
        for each in sorted(self.commands, key=lambda command: command.name in _ASKED):
            if each.name in _ASKED and turn.question is not None:
                told.append(ANSWER_FIRST.format(said=each.said or each.about))
                continue
            told.append(await dispatch_command(each, turn))
            if turn.kept:
                turn.dialogue.mention([item.id for item in turn.kept])
        return "\n\n".join(told)


async def _answer_typed(typed: SlashCommand, turn: TurnContext) -> str:
    try:
        return await obey_typed(typed, turn)
    except KeepsakeError as error:
        _log.warning("not_obeyed", reason=type(error).__name__)  # its name may be any word
        return str(error)


def _leaves_out(command: Command) -> bool:
    return command.name == "do_not_remember" and not command.points_back


def detect_intent(
    text: str, commands: Sequence[Command], dialogue: ConversationState
) -> Intent | None:
    """What the text wants, which are the `commands` unless it answers a question; None for what the
    model is to answer. A question is asked once: whatever else is said takes it back, so that no
    later “yes” is taken for its answer. What to do with the messages, said alone, is a yes."""
    question = dialogue.take_question()
    dialogue.unanswered = False
    if isinstance(question, WhichQuestion):
        return _choose(question, text, commands, dialogue)
    if question is not None:
        answer, history = split_history_choice(text)
        chosen = isinstance(question, ForgetQuestion) and answer != text and not answer.strip()
        older = isinstance(question, ReplacementQuestion) and prefers_older(answer)
        named = _NAMED.get(type(question), ())
        yes = True if chosen else False if older else parse_yes_no(answer, named)
        if yes is not None:
            for_good = is_for_good(answer)
            return Intent(question=question, answer=QuestionAnswer(yes, older, history, for_good))
        dialogue.unanswered = not isinstance(question, ReplacementQuestion)
    return Intent(tuple(commands)) if commands else None


def _choose(
    question: WhichQuestion, text: str, commands: Sequence[Command], dialogue: ConversationState
) -> Intent | None:
    """The command on the memory that is chosen, also where it is said again for that one."""
    contents = [each.text for each in question.choices]
    said_again = [each for each in commands if each.name == question.command.name and each.about]
    told = (parse_choice(each, contents) for each in (text, *(c.about or "" for c in said_again)))
    at = next((each for each in told if each is not None), None)
    if at is not None:
        chosen = QuestionAnswer(yes=True, chosen=UUID(question.choices[at].id))
        command = next((each for each in said_again if each.text), question.command)
        return Intent(question=replace(question, command=command), answer=chosen)
    if parse_yes_no(text) is False:
        return Intent(question=question, answer=QuestionAnswer())
    dialogue.unanswered = True
    return Intent(tuple(commands)) if commands else None
