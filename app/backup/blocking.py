"""Work on files, beside the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


async def to_its_end(
    work: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs
) -> Answer:
    """A thread cannot be cancelled: who is cancelled meanwhile waits for its end, so that nothing
    is written any more when they tidy up."""
    thread = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        await asyncio.wait({thread})
        raise
