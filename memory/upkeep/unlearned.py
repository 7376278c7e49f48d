"""Taking out of an episode what it says about forgotten memories. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memory.episode import Action, Episode
from memory.upkeep.redaction import MARK, redact_about


def unlearned(episode: Episode, contents: Collection[str]) -> Episode:
    """The episode without its sentences about these memories; a line that is nothing else goes,
    and a task that is nothing else is “[forgotten]”."""

    def left_of(text: str) -> str:
        for content in contents:
            text = redact_about(text, content)
        return text

    def lines(texts: Iterable[str]) -> tuple[str, ...]:
        left = ((text, left_of(text)) for text in texts)
        return tuple(now for text, now in left if now == text or now not in {"", MARK})

    return episode.model_copy(
        update={
            "task": left_of(episode.task) or MARK,
            "plan": lines(episode.plan),
            "actions": tuple(
                Action(
                    type=left_of(each.type) or MARK,
                    input=left_of(each.input),
                    result=left_of(each.result),
                    succeeded=each.succeeded,
                    at=each.at,
                )
                for each in episode.actions
            ),
            "lessons_learned": lines(episode.lessons_learned),
            "failure_modes": lines(episode.failure_modes),
        }
    )
