"""What is said to a call that is refused: a test of many rows can name those that are taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ParamSpec

P = ParamSpec("P")


def refusal(
    error: type[Exception], call: Callable[P, object], *args: P.args, **named: P.kwargs
) -> str | None:
    """The error's words, or nothing where the call is not refused."""
    try:
        call(*args, **named)
    except error as refused:
        return str(refused)
    return None


def is_refused(
    error: type[Exception], call: Callable[P, object], *args: P.args, **named: P.kwargs
) -> bool:
    return refusal(error, call, *args, **named) is not None


async def is_refused_later(error: type[Exception], called: Awaitable[object]) -> bool:
    try:
        await called
    except error:
        return True
    return False
