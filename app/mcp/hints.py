"""What a client may tell its user of each tool, and when it asks them first."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_types import ToolAnnotations


def _hints(
    title: str, *, reads: bool = False, destroys: bool = False, idempotent: bool = True
) -> ToolAnnotations:
    """None reaches beyond the memory."""
    return ToolAnnotations(
        title=title,
        read_only_hint=reads,
        destructive_hint=destroys,
        idempotent_hint=idempotent,
        open_world_hint=False,
    )


# What `remember` takes the place of stays and can be brought back: `forget` alone destroys.
HINTS: Mapping[str, ToolAnnotations] = {
    "search_memory": _hints("Search memory", reads=True),
    "remember": _hints("Remember", idempotent=False),
    "forget": _hints("Forget a memory", destroys=True),
    "restore_memory": _hints("Bring a memory back"),
    "list_memories": _hints("List memories", reads=True),
    "pin_memory": _hints("Pin a memory"),
    "memory_summary": _hints("Summary of memory", reads=True),
    "start_episode": _hints("Begin an episode", idempotent=False),
    "record_action": _hints("Record a step", idempotent=False),
    "complete_episode": _hints("End an episode"),
    "similar_episodes": _hints("Find similar episodes", reads=True),
    "forget_episode": _hints("Remove an episode", destroys=True),
}
