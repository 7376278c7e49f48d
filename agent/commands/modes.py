"""Memory on, off and read-only; incognito."""

from __future__ import annotations

from agent.commands.parser import Command
from agent.turn.context import TurnContext
from memory.types import MemoryMode, Privacy

ON = "Memory is on: I recall what I know, and keep what is worth keeping."
OFF = (
    "Memory is off: no answer rests on it, and nothing new is kept. What is there stays, and you "
    "can still look at it and forget it."
)
READ_ONLY = "Memory is read-only: I recall what I know, and keep nothing new."
INCOGNITO = (
    "Incognito from here on: nothing of it is stored, and memory is neither read nor written. "
    "Say “end incognito” to go back."
)
INCOGNITO_READ_ONLY = (
    "Incognito from here on: nothing of it is stored; I still recall what I know. "
    "Say “end incognito” to go back."
)
ENDED = "Incognito has ended, and what was said in it is gone."
NOT_INCOGNITO = "This conversation is not incognito."


async def memory_on(_command: Command, turn: TurnContext) -> str:
    return await _set_mode(turn, "full", ON)


async def memory_off(_command: Command, turn: TurnContext) -> str:
    return await _set_mode(turn, "off", OFF)


async def memory_read_only(_command: Command, turn: TurnContext) -> str:
    return await _set_mode(turn, "read_only", READ_ONLY)


async def incognito_on(_command: Command, turn: TurnContext) -> str:
    return await _set_privacy(turn, "incognito", INCOGNITO)


async def incognito_read_only(_command: Command, turn: TurnContext) -> str:
    return await _set_privacy(turn, "incognito_read_only", INCOGNITO_READ_ONLY)


async def incognito_off(_command: Command, turn: TurnContext) -> str:
    if turn.dialogue.privacy == "normal":
        return NOT_INCOGNITO
    return await _set_privacy(turn, "normal", ENDED)


async def _set_mode(turn: TurnContext, mode: MemoryMode, said: str) -> str:
    await turn.memory.modes.change(turn.user_id, turn.space, turn.origin, memory_mode=mode)
    return said


async def _set_privacy(turn: TurnContext, privacy: Privacy, said: str) -> str:
    """What was said incognito goes with the mode, its title too; nothing of it comes along. A
    conversation that became incognito in this turn was stored until then, and stays."""
    memory, user_id = turn.memory, turn.user_id
    await memory.privacy_marks.mark(user_id, turn.conversation_id, privacy)
    if memory.access != "write":
        await memory.conversations.remove(user_id, turn.conversation_id, turn.origin)
    turn.dialogue.start_over(privacy)
    return said
