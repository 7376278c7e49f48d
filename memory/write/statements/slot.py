"""One thing that a memory fills in."""

from __future__ import annotations

from dataclasses import dataclass

MAX_KEY_CHARS = 100

Found = tuple[str, str, str, bool, str]
"""What a reader finds: name, aspect, value, whether it is denied, the words beside the value."""


@dataclass(frozen=True)
class Slot:
    """`name` as "home" or "time:team meeting", filled with `value` for `subject`.

    `aspect` tells apart what one name holds: the day and the clock of a meeting, employer and
    job of "work". `single`: two values cannot both hold. `outright`: said with words of change.
    `negated`: the value holds no longer, an empty one meaning none at all. `history`: it held
    once. `certain`: the subject can be one only. `rest`: what the sentence says beside it.
    `which`: of several such, the "weekly" one. `before`: what the new value is said to follow.
    """

    name: str
    subject: str
    value: str
    owner: str = "i"
    aspect: str = ""
    single: bool = True
    outright: bool = False
    negated: bool = False
    history: bool = False
    certain: bool = True
    rest: frozenset[str] = frozenset()
    which: str = ""
    before: str = ""

    @property
    def what(self) -> str:
        """For the audit, so without the user's words: "home", "employer", "favourite", "time"."""
        return self.aspect or self.name.partition(":")[0]

    @property
    def is_deed(self) -> bool:
        """Whether it is what is done or liked, with all its words as the value."""
        return self.name.startswith("do:")


@dataclass(frozen=True)
class Contradiction:
    """`sure`: the two cannot both hold; `outright`: the new one says that something changed."""

    why: str
    sure: bool
    outright: bool
