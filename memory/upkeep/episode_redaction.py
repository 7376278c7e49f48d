"""Taking words out of an episode. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from memory.episode import Action, Episode
from memory.upkeep.redaction import MARK, redact_about


def unlearned(episode: Episode, contents: Collection[str]) -> Episode:
    """The episode without its sentences about these memories."""

    def left_of(text: str) -> str:
        for content in contents:
            text = redact_about(text, content)
        return text

    return reworded(episode, left_of)


def reworded(episode: Episode, left_of: Callable[[str], str]) -> Episode:
    """The episode in the words that are left of each text; a line that is nothing else than what
    was taken out goes, and a task that is nothing else is “[forgotten]”."""

    def lines(texts: Iterable[str]) -> tuple[str, ...]:
        left = ((text, left_of(text)) for text in texts)
        return tuple(now for text, now in left if now == text or now not in {"", MARK})

    return episode.model_copy(
        update={
            "task": left_of(episode.task) or MARK,
            "plan": lines(episode.plan),
            "actions": tuple(_reworded(each, left_of) for each in episode.actions),
            "lessons_learned": lines(episode.lessons_learned),
            "failure_modes": lines(episode.failure_modes),
        }
    )


def texts_of(episode: Episode) -> list[str]:
    """Everything that it says, but what is empty."""
    lines = [episode.task, *episode.plan, *episode.lessons_learned, *episode.failure_modes]
    done = [text for each in episode.actions for text in (each.type, each.input, each.result)]
    return [text for text in (*lines, *done) if text]


def _reworded(action: Action, left_of: Callable[[str], str]) -> Action:
    return Action(
        type=left_of(action.type) or MARK,
        input=left_of(action.input),
        result=left_of(action.result),
        succeeded=action.succeeded,
        at=action.at,
    )
