"""An episode as it is shown: what was tried, what came of it, and what did not work. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.dates.periods import day_name
from memory.episode import Alike, Episode
from memory.recall.choice.screening import find_order
from memory.upkeep.episode_redaction import unlearned

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


def to_be_shown(found: Sequence[Alike], forgotten: Sequence[str]) -> list[Alike]:
    """Without what tells of the forgotten memories, and without texts that give orders."""
    return [
        Alike(_without_orders(unlearned(each.episode, forgotten)), each.likeness) for each in found
    ]


def _without_orders(episode: Episode) -> Episode:
    def harmless(lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(line for line in lines if find_order(line) is None)

    texts = ("plan", "lessons_learned", "failure_modes")
    kept = {name: harmless(getattr(episode, name)) for name in texts}
    actions = tuple(
        each
        for each in episode.actions
        if find_order(f"{each.type} {each.input} {each.result}") is None
    )
    return episode.model_copy(update={**kept, "actions": actions})
