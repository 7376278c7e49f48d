"""What can be typed with a slash instead of a message, in every door."""

from __future__ import annotations

import difflib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from agent.commands.display import HOW_TO_EXPORT, HOW_TO_IMPORT
from agent.commands.parser import MEMORY_NUMBER, Command
from agent.conversations.state import ReplacementQuestion
from agent.turn.background import conflict_question
from agent.turn.context import TurnContext
from memory.actions.presentation import proof_text
from memory.errors import InvalidInput
from memory.store.memories import MemoryFilter
from memory.types import MEMORY_TYPES, StoredConversation, StoredMemory, StoredMessage
from memory.understanding import CommandName

COMMANDS = {
    "/help": "what can be said and typed",
    "/new": "start a new conversation; memory carries over",
    "/history": "this conversation; /history all: all of yours",
    "/memories": "what is remembered, the newest first; /memories BANK, TYPE, pinned or WORDS",
    "/summary": "what is remembered, by bank",
    "/about": "/about WORDS: what is remembered about something",
    "/remember": "/remember WORDS: keep them",
    "/edit": "/edit WORDS: put them in the place of the memory just spoken of; /edit #1 WORDS",
    "/pin": "/pin WORDS: never trim that memory; /unpin WORDS",
    "/unpin": "see /pin",
    "/forget": "/forget WORDS: forget what is shown; “… for good” erases it at once",
    "/undo": "take back what was forgotten or corrected last, within a day",
    "/why": "what the last answer rests on, and what was left out; /why WORDS or #1",
    "/doubts": "which of two memories holds, where that is open",
    "/prove": "show that what was forgotten last is gone; /prove ID",
    "/audit": "what was done with your memory, by whom",
    "/memory": "/memory on, off or read-only, in this space",
    "/incognito": "/incognito, /incognito read-only, /incognito off",
    "/private": "/private on: new conversations begin incognito; /private off",
    "/redact": "/redact off: store messages with their secrets; on by default",
    "/space": "/space NAME: other memories, of another project",
    "/export": "/export FILE: everything as JSON",
    "/import": "/import FILE: an export, or another assistant's memories as lines",
    "/erase": "erase everything of you",
    "/quit": "leave (so does Ctrl-D)",
}
SAY = (
    "Say what you want in your own words: “remember that …”, “what do you remember about …?”, "
    "“change that to …”, “pin that”, “forget about …”, “undo”, “why do you remember that?”, “turn "
    "memory off”, “go incognito”. Or type it:"
)
UNLISTED = "What is said incognito is shown once, where it is said, and listed nowhere."
SPACE_SETTINGS = frozenset({"/private", "/redact"})
LISTED = 50
FOR_GOOD = "for good"
_OTHER_NAMES = {"/exit": "/quit", "/bye": "/quit"}
_SLASH = re.compile(r"/[A-Za-z]+(?=\s|$)")
_ID = re.compile(r"[0-9a-f-]{0,36}", re.IGNORECASE)
_MEMORY: Mapping[str, CommandName] = {
    "on": "memory_on",
    "off": "memory_off",
    "read-only": "memory_read_only",
}
_INCOGNITO: Mapping[str, CommandName] = {
    "": "incognito_on",
    "on": "incognito_on",
    "read-only": "incognito_read_only",
    "off": "incognito_off",
}
_SWITCH = {"on": True, "off": False}


@dataclass(frozen=True)
class SlashCommand:
    """The command that a line is, known or not, and the words after it."""

    name: str
    words: str = ""


def find_slash_command(line: str) -> SlashCommand | None:
    """None for a message, “/usr/bin is …” included."""
    line = line.strip()
    match = _SLASH.match(line)
    return SlashCommand(match[0].lower(), line[match.end() :].strip()) if match else None


def help_lines(names: Sequence[str] = tuple(COMMANDS)) -> list[str]:
    return [SAY, *(f"{name:<10} {COMMANDS[name]}" for name in names)]


def unknown_command_text(name: str) -> str:
    """One line, with the command that was probably meant."""
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    meant = _OTHER_NAMES.get(name, next(iter(near), ""))
    hint = f"Did you mean {meant}? " if meant else ""
    return f"There is no {name}. {hint}/help shows what can be typed."


def memory_command(typed: SlashCommand) -> Command | None:
    """What it is a shorter form of; None where it only looks at something. Raises InvalidInput
    where its words are missing or not known."""
    make = _MAKERS.get(typed.name)
    return None if make is None else make(typed.name, typed.words)


def _without_words(command: CommandName) -> Callable[[str, str], Command]:
    return lambda _name, _words: Command(command)


def _with_topic(command: CommandName) -> Callable[[str, str], Command]:
    """Without words it means what the last turn was about."""
    return lambda _name, words: Command(command, about=words or None)


def _requiring_topic(command: CommandName) -> Callable[[str, str], Command]:
    return lambda name, words: Command(command, about=_required(name, words))


def _requiring_text(command: CommandName) -> Callable[[str, str], Command]:
    return lambda name, words: Command(command, text=_required(name, words))


def _forget(_name: str, words: str) -> Command:
    for_good = words.casefold().endswith(FOR_GOOD)
    words = words[: -len(FOR_GOOD)].strip() if for_good else words
    if words.casefold() == "me":
        return Command("erase_me")
    if words.casefold() in {"everything", "all"}:
        return Command("forget", for_good=for_good, everything=True)
    return Command("forget", about=words or None, for_good=for_good)


def _edit(name: str, words: str) -> Command:
    """“/edit #2 WORDS” names the memory by its number."""
    number, _, rest = _required(name, words).partition(" ")
    if MEMORY_NUMBER.fullmatch(number):
        return Command("edit", about=number, text=_required(f"{name} {number}", rest.strip()))
    return Command("edit", text=words)


def _one_of(names: Mapping[str, CommandName]) -> Callable[[str, str], Command]:
    def choose(name: str, words: str) -> Command:
        command = names.get(words.casefold())
        if command is None:
            known = ", ".join(f"{name} {each}".strip() for each in names)
            raise InvalidInput(reason=f"Say which: {known}.")
        return Command(command)

    return choose


def _required(name: str, words: str) -> str:
    if not words:
        raise InvalidInput(reason=f"Say what: {name} WORDS. /help lists all commands.")
    return words


_MAKERS: Mapping[str, Callable[[str, str], Command]] = {
    "/remember": _requiring_text("remember"),
    "/summary": _without_words("list"),
    "/about": _requiring_topic("about"),
    "/edit": _edit,
    "/pin": _with_topic("pin"),
    "/unpin": _with_topic("unpin"),
    "/forget": _forget,
    "/undo": _without_words("undo"),
    "/why": _with_topic("why"),
    "/audit": _without_words("audit"),
    "/memory": _one_of(_MEMORY),
    "/incognito": _one_of(_INCOGNITO),
    "/erase": _without_words("erase_me"),
}


async def look(typed: SlashCommand, turn: TurnContext) -> str:
    """What one answers that is no memory command. Raises InvalidInput for one that does not exist
    or lacks its words, and DatabaseUnavailable."""
    view = _VIEWS.get(typed.name)
    if view is None:
        raise InvalidInput(reason=unknown_command_text(typed.name))
    return await view(typed.words, turn)


async def _memories(words: str, turn: TurnContext) -> str:
    """The newest; of a bank, of a type, the pinned ones, or those that hold words."""
    banks = await turn.memory.entries.banks(turn.user_id, turn.space)
    wanted = filter_from(words, turn.space, [each.bank for each in banks])
    page = await turn.memory.entries.browse(turn.user_id, wanted)
    lines = memory_lines(page.items, words)
    return "\n".join([*lines, "and more: /memories WORDS finds them"] if page.next else lines)


def filter_from(words: str, space: str, banks: Sequence[str]) -> MemoryFilter:
    """Pure: “pinned”, the name of a type or of a bank, else words to look for."""
    wanted = MemoryFilter(space=space, limit=LISTED)
    name = words.casefold()
    if not name:
        return wanted
    if name == "pinned":
        return wanted.model_copy(update={"pinned": True})
    for item_type in MEMORY_TYPES:
        if name in {item_type, f"{item_type}s"}:
            return wanted.model_copy(update={"type": item_type})
    for bank in banks:
        if name == bank.casefold():
            return wanted.model_copy(update={"bank": bank})
    return wanted.model_copy(update={"text": words})


def memory_lines(items: Sequence[StoredMemory], looked_for: str = "") -> list[str]:
    """What is remembered, one line each, in order."""
    if not items and looked_for:
        return [f"Nothing that is remembered matches “{looked_for}”."]
    if not items:
        return ["Nothing is remembered yet. Tell me something about yourself."]
    return [
        f"{_day(item.created_at)}  {item.type:<10}  {' '.join(item.content.split())}"
        for item in items
    ]


def _day(moment: datetime) -> str:
    return moment.astimezone().date().isoformat()


async def _history(words: str, turn: TurnContext) -> str:
    conversations = turn.memory.conversations
    if words.casefold() == "all":
        return "\n".join(
            conversation_lines(await conversations.list_conversations(turn.user_id, LISTED))
        )
    if turn.dialogue.privacy not in {None, "normal"}:
        return UNLISTED
    said = await conversations.read_recent(turn.user_id, turn.conversation_id, LISTED)
    left = await turn.memory.forgetting.words_left(turn.user_id, [each.id for each in said])
    return "\n".join(history_lines(said, left))


def history_lines(messages: Sequence[StoredMessage], left: Mapping[UUID, str]) -> list[str]:
    """`left` is what some of them say now."""
    if not messages:
        return ["Nothing was said in this conversation yet."]
    names = {"user": "you", "assistant": "keepsake", "system": "system"}
    return [
        f"{names[each.role]}: {left.get(each.id, each.content)}{_status(each)}" for each in messages
    ]


def conversation_lines(found: Sequence[StoredConversation]) -> list[str]:
    if not found:
        return ["There is no conversation yet."]
    return [
        f"{_day(each.updated_at)}  {' '.join((each.title or '(no title)').split())}"
        for each in found
    ]


def _status(message: StoredMessage) -> str:
    return "" if message.status == "complete" else f" ({message.status})"


async def _doubts(_words: str, turn: TurnContext) -> str:
    """The question of the oldest doubt that is still open, which the next message answers."""
    found = await turn.memory.doubts.open(turn.user_id, turn.space)
    if not found:
        return "Nothing is in doubt."
    question = conflict_question(found[0].older.content, found[0].newer.content)
    return turn.ask(ReplacementQuestion(found[0].id, text=question))


async def _prove(words: str, turn: TurnContext) -> str:
    """What was removed of a forgotten memory, the last one where no id is given, and that a search
    finds it no more."""
    beginning, _, rest = words.partition(" ")
    if not _ID.fullmatch(beginning):
        raise InvalidInput(reason="Say which: /prove ID. /audit shows how the ids begin.")
    forgetting = turn.memory.forgetting
    item_id = await forgetting.named(turn.user_id, beginning)
    return proof_text(await forgetting.prove(turn.user_id, item_id, rest or None))


async def _redact(words: str, turn: TurnContext) -> str:
    """Whether secrets are taken out of messages before they are stored; on by default."""
    wanted = parse_switch("/redact", words)
    await turn.memory.modes.change(turn.user_id, turn.space, turn.origin, redact_messages=wanted)
    if wanted:
        return "Secrets are taken out of messages before they are stored."
    return "Messages are stored as you write them. Secrets still never become memories."


async def _private(words: str, turn: TurnContext) -> str:
    """Whether new conversations begin incognito."""
    wanted = parse_switch("/private", words)
    await turn.memory.modes.change(turn.user_id, turn.space, turn.origin, incognito_default=wanted)
    begins = "incognito" if wanted else "as usual"
    return f"New conversations in the space “{turn.space}” begin {begins}. /new begins one."


def parse_switch(name: str, words: str) -> bool:
    """Raises InvalidInput."""
    wanted = _SWITCH.get(words.casefold())
    if wanted is None:
        raise InvalidInput(reason=f"Say which: {name} on, or {name} off.")
    return wanted


# What a door does by itself. Where one leaves it to the conversation, this says where it is done.
_OUTSIDE = {
    "/new": "A new conversation is begun outside of this one: on the page by “New chat”.",
    "/export": HOW_TO_EXPORT,
    "/import": HOW_TO_IMPORT,
    "/quit": "That leaves Keepsake in a terminal. A page is closed as any other.",
}


def _outside(name: str) -> Callable[[str, TurnContext], Awaitable[str]]:
    async def tell(_words: str, _turn: TurnContext) -> str:
        return _OUTSIDE[name]

    return tell


async def _space(_words: str, turn: TurnContext) -> str:
    return (
        f"This is the space “{turn.space}”. Nothing of another space is known here; on the page "
        "another one is chosen beside “Space”."
    )


async def _help(_words: str, _turn: TurnContext) -> str:
    return "\n".join(help_lines([each for each in COMMANDS if each != "/quit"]))


_VIEWS: Mapping[str, Callable[[str, TurnContext], Awaitable[str]]] = {
    "/help": _help,
    "/history": _history,
    "/memories": _memories,
    "/doubts": _doubts,
    "/prove": _prove,
    "/redact": _redact,
    "/private": _private,
    "/space": _space,
    **{name: _outside(name) for name in _OUTSIDE},
}
