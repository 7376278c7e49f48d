"""The writing set: what invented people say over time, and what a memory should keep of it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, model_validator

from eval.reading import Strict, read_set, repeats
from memory.models import ItemType

FILE = "turns.json"
FOLDER = Path(__file__).parent
# Turns of this category are instructions, which nobody takes for junk or for a memory.
COMMAND = "command"


class Keep(Strict):
    """A memory that should be there. `must_hold` are lower-case stems that its text contains, each
    of them; `must_not_hold` do not occur in it. `type` and `bank` list what is accepted."""

    about: str
    must_hold: Annotated[tuple[str, ...], Field(min_length=1)]
    must_not_hold: tuple[str, ...]
    type: Annotated[tuple[ItemType, ...], Field(min_length=1)]
    bank: Annotated[tuple[str, ...], Field(min_length=1)]
    occurred_on: date | None

    def is_met_by(self, content: str) -> bool:
        text = content.lower()
        held = all(stem in text for stem in self.must_hold)
        return held and not any(stem.lower() in text for stem in self.must_not_hold)

    def is_touched_by(self, content: str) -> bool:
        text = content.lower()
        return any(stem in text for stem in self.must_hold)


class Turn(Strict):
    """`repeats` and `replaces` name an earlier turn of the thread with one keep. With `doubtful`
    the words may or may not replace it."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    said_at: AwareDatetime
    said: Annotated[str, Field(min_length=1)]
    keep: tuple[Keep, ...]
    category: Annotated[str, Field(min_length=1)]
    repeats: str | None
    replaces: str | None
    doubtful: bool
    secret: Annotated[str, Field(min_length=8)] | None


class Thread(Strict):
    """The user turns of one fresh user, in order."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    title: str
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    held_back: bool = False

    @property
    def secrets(self) -> list[str]:
        return [turn.secret for turn in self.turns if turn.secret is not None]


class TurnSet(Strict):
    note: str = ""
    now: AwareDatetime
    threads: Annotated[tuple[Thread, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        ids = [turn.id for thread in self.threads for turn in thread.turns]
        if twice := repeats([*ids, *(thread.id for thread in self.threads)]):
            raise ValueError(f"these ids appear twice: {', '.join(twice)}")
        for thread in self.threads:
            for at, turn in enumerate(thread.turns):
                if fault := _fault(turn, thread.turns[:at]):
                    raise ValueError(f"turn {turn.id}: {fault}")
        return self


def _fault(turn: Turn, earlier: tuple[Turn, ...]) -> str | None:
    whole = {each.id for each in earlier if len(each.keep) == 1}
    for name in (turn.repeats, turn.replaces):
        if name is not None and name not in whole:
            return f"{name} is no earlier turn of its thread with one keep"
    if turn.doubtful and turn.replaces is None:
        return "it is doubtful whether it replaces nothing"
    if turn.repeats is not None and turn.keep:
        return "it repeats a memory and has one of its own"
    return None


def load_turns(folder: Path = FOLDER) -> TurnSet:
    """Reads `turns.json` in the folder. Raises DatasetUnreadable with the first fault."""
    return read_set(folder / FILE, TurnSet)
