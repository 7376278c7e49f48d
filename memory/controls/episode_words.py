"""An episode as a model is shown it: what was tried, what came of it, and what did not work."""

from __future__ import annotations

from typing import Any

from memory.dates.periods import day_name
from memory.episode import Alike

MOST_SHOWN = 5


def told_of(alike: Alike) -> dict[str, Any]:
    """Its failures and lessons, the last MOST_SHOWN actions that failed, and when it ended; the
    texts as they are stored."""
    episode = alike.episode
    failed = [each for each in episode.actions if not each.succeeded]
    ended = episode.completed_at or episode.created_at
    return {
        "id": str(episode.id),
        "task": episode.task,
        "likeness": round(alike.likeness, 2),
        "outcome_score": episode.outcome_score,
        "what_failed": list(episode.failure_modes),
        "failed_actions": [
            {"type": each.type, "input": each.input, "result": each.result}
            for each in failed[-MOST_SHOWN:]
        ],
        "lessons_learned": list(episode.lessons_learned),
        "ended_on": day_name(ended.astimezone()),
    }
