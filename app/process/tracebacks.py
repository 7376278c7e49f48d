"""Traces of unexpected exceptions, without the values that their messages may quote."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, MutableMapping
from typing import Any

from memory.errors import KeepsakeError

# Theirs are written here or by the system; a validation or database error quotes its input.
_PLAIN: tuple[type[BaseException], ...] = (KeepsakeError, OSError)


def add_trace(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replaces `exc_info` by `trace`: lines of code and names of exceptions."""
    given = event.pop("exc_info", None)
    if isinstance(given, tuple):
        given = given[1]
    error = given if isinstance(given, BaseException) else sys.exception() if given else None
    if error is not None:
        event["trace"] = "".join(trace_lines(error))
    return event


def trace_lines(error: BaseException) -> Iterator[str]:
    """The exception after what it came from; a message only where it cannot hold user text."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from trace_lines(cause)
        yield "and then\n"
    yield from traceback.format_tb(error.__traceback__)
    message = f": {error}" if isinstance(error, _PLAIN) else ""
    yield f"{type(error).__module__}.{type(error).__qualname__}{message}\n"
