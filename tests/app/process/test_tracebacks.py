from __future__ import annotations

from app.logs import add_trace, trace_lines
from memory.errors import InvalidInput

SECRET = "I am allergic to peanuts"


def _fail() -> None:
    raise ValueError(SECRET)


def _raised() -> Exception:
    try:
        _fail()
    except ValueError as error:
        failed = KeyError(SECRET)
        failed.__cause__ = error
        return failed
    raise AssertionError


def test_a_trace_names_lines_and_exceptions_and_quotes_nobody() -> None:
    trace = "".join(trace_lines(_raised()))
    assert trace.index("builtins.ValueError") < trace.index("builtins.KeyError")
    assert "in _fail" in trace
    assert SECRET not in trace


def test_our_own_sentences_and_the_systems_stay() -> None:
    assert "There is no such conversation." in "".join(
        trace_lines(InvalidInput(reason="There is no such conversation."))
    )
    assert "No space left" in "".join(trace_lines(OSError(28, "No space left on device")))


def test_the_exception_that_is_being_handled_is_taken() -> None:
    try:
        _fail()
    except ValueError:
        event = add_trace(None, "error", {"event": "unexpected", "exc_info": True})
    assert "ValueError" in event["trace"]
    assert add_trace(None, "info", {"event": "fine"}) == {"event": "fine"}
