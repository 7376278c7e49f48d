"""Tasks that need memory (specification 000): what was told before, and what is asked now."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from eval.assistant.wording import holds_any
from eval.reading import Strict, read_set, repeats

FILE = "tasks.json"
FOLDER = Path(__file__).parent
Kind = Literal["preference", "meeting", "goal"]
Words: TypeAlias = Annotated[str, Field(min_length=1)]


class Task(Strict):
    """`told` are the user's turns in earlier conversations, `task` the first turn of a new one. A
    reply solves it that holds each of `needed` in one of its wordings, and nothing `forbidden`."""

    id: Annotated[str, Field(min_length=1, max_length=100)]
    kind: Kind
    told: Annotated[
        tuple[Annotated[tuple[Words, ...], Field(min_length=1)], ...], Field(min_length=1)
    ]
    task: Words
    needed: Annotated[
        tuple[Annotated[tuple[Words, ...], Field(min_length=1)], ...], Field(min_length=1)
    ]
    forbidden: tuple[Words, ...] = ()


class TaskSet(Strict):
    note: str = ""
    tasks: Annotated[tuple[Task, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if twice := repeats([task.id for task in self.tasks]):
            raise ValueError(f"these ids appear twice: {', '.join(twice)}")
        for task in self.tasks:
            if fault := _fault(task):
                raise ValueError(f"task {task.id}: {fault}")
        return self


def _fault(task: Task) -> str | None:
    told = "\n".join(turn for talk in task.told for turn in talk)
    for wordings in task.needed:
        if holds_any(task.task, wordings):
            return f"it tells {wordings[0]!r} itself"
        if not holds_any(told, wordings):
            return f"nobody told {wordings[0]!r}"
    return None


def load_tasks(folder: Path = FOLDER) -> TaskSet:
    """Reads `tasks.json` in the folder. Raises DatasetUnreadable with the first fault."""
    return read_set(folder / FILE, TaskSet)
