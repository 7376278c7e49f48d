"""Whether a call is refused, so that a test of many rows can name those that are not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ParamSpec

P = ParamSpec("P")


def is_refused(
    error: type[Exception], call: Callable[P, object], *args: P.args, **named: P.kwargs
) -> bool:
    try:
        call(*args, **named)
    except error:
        return True
    return False


async def is_refused_later(error: type[Exception], called: Awaitable[object]) -> bool:
    try:
        await called
    except error:
        return True
    return False
