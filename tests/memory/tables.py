"""For tables of what is refused: a row that is taken fails the test with all the others like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Given = TypeVar("Given")


def refusal(error: type[Exception], take: Callable[[Given], object], given: Given) -> str | None:
    """What is said to it, or nothing where it is taken."""
    try:
        take(given)
    except error as refused:
        return str(refused)
    return None
