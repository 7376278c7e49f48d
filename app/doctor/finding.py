"""What was found of one part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "broken"]


@dataclass(frozen=True)
class Finding:
    """`found` says how the part is, `mend` what to do where it is not well. With a warning Keepsake
    works, with less than it could; what is broken keeps something from working."""

    part: str
    state: State
    found: str
    mend: str = ""


def ok(part: str, found: str) -> Finding:
    return Finding(part, "ok", found)


def warning(part: str, found: str, mend: str) -> Finding:
    return Finding(part, "warning", found, mend)


def broken(part: str, found: str, mend: str) -> Finding:
    return Finding(part, "broken", found, mend)
