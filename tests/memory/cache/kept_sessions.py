"""Sessions as a turn keeps them."""

from __future__ import annotations

from memory.cache import SessionCache, SessionState


async def keep(
    sessions: SessionCache, user_id: str, conversation_id: str, state: SessionState
) -> bool:
    """Begins a turn and ends it with `state`."""
    stamp = await sessions.begin(user_id, conversation_id)
    return await sessions.save(user_id, conversation_id, state, stamp)
