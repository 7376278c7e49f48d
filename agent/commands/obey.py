"""Every command by its name: terminal, tools and plain words all come through here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import structlog

from agent.commands import changing, forgetting, modes, showing
from agent.commands.command import Command
from agent.turn.context import TurnContext
from memory.errors import KeepsakeError
from memory.understanding import CommandName

Handler = Callable[[Command, TurnContext], Awaitable[str]]
_log = structlog.get_logger(__name__)

HANDLERS: Mapping[CommandName, Handler] = {
    "remember": changing.remember,
    "remember_anyway": changing.remember_anyway,
    "edit": changing.edit,
    "pin": changing.pin,
    "unpin": changing.unpin,
    "forget": forgetting.forget,
    "do_not_remember": forgetting.do_not_remember,
    "undo": forgetting.undo,
    "erase_me": forgetting.erase_me,
    "list": showing.list_all,
    "about": showing.about,
    "why": showing.why,
    "audit": showing.audit,
    "export": showing.export,
    "import": showing.import_,
    "memory_on": modes.memory_on,
    "memory_off": modes.memory_off,
    "memory_read_only": modes.memory_read_only,
    "incognito_on": modes.incognito_on,
    "incognito_read_only": modes.incognito_read_only,
    "incognito_off": modes.incognito_off,
}


async def obey(command: Command, turn: TurnContext) -> str:
    """What the user is told of it. What cannot be done is said in words for the user."""
    try:
        return await HANDLERS[command.name](command, turn)
    except KeepsakeError as error:
        _log.warning("not_obeyed", command=command.name, reason=type(error).__name__)
        return turn.wording.error(error)
