"""Memory on, off and read-only; incognito."""

from __future__ import annotations

from agent.commands.command import Command
from agent.turn.context import TurnContext
from memory.models import MemoryMode, Privacy


async def memory_on(_command: Command, turn: TurnContext) -> str:
    return await _set_mode(turn, "full", "memory_is_on")


async def memory_off(_command: Command, turn: TurnContext) -> str:
    return await _set_mode(turn, "off", "memory_is_off")


async def memory_read_only(_command: Command, turn: TurnContext) -> str:
    return await _set_mode(turn, "read_only", "memory_is_read_only")


async def incognito_on(_command: Command, turn: TurnContext) -> str:
    return await _set_privacy(turn, "incognito", "incognito")


async def incognito_read_only(_command: Command, turn: TurnContext) -> str:
    return await _set_privacy(turn, "incognito_read_only", "incognito_read_only")


async def incognito_off(_command: Command, turn: TurnContext) -> str:
    if turn.dialogue.privacy == "normal":
        return turn.say("not_incognito")
    return await _set_privacy(turn, "normal", "incognito_has_ended")


async def _set_mode(turn: TurnContext, mode: MemoryMode, sentence: str) -> str:
    await turn.memory.modes.change(turn.user_id, turn.space, turn.origin, memory_mode=mode)
    return turn.say(sentence)


async def _set_privacy(turn: TurnContext, privacy: Privacy, sentence: str) -> str:
    """What was said incognito goes with the mode; nothing of it comes along."""
    dialogue = turn.dialogue
    await turn.memory.privacy_marks.mark(turn.user_id, turn.conversation_id, privacy)
    if dialogue.privacy != "normal":
        await turn.memory.conversations.clear_conversation(turn.user_id, turn.conversation_id)
    dialogue.start_over(privacy)
    return turn.say(sentence)
