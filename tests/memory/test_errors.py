from __future__ import annotations

import string
from collections.abc import Iterator

import pytest

import memory.errors
from memory.errors import (
    CircuitOpen,
    DatabaseUnavailable,
    DimensionMismatch,
    InvalidInput,
    KeepsakeError,
    RoleBypassesRowSecurity,
    TooManyRequests,
)

# Their sentence is, or ends with, the reason, which says itself what to do.
SAY_NOTHING_MORE = {"InvalidInput", "InvalidSettings", "MessageRefused"}


def every_error(parent: type[KeepsakeError] = KeepsakeError) -> Iterator[type[KeepsakeError]]:
    for child in parent.__subclasses__():
        if child.__module__ == memory.errors.__name__:
            yield child
        yield from every_error(child)


def fields_of(error: type[KeepsakeError]) -> set[str]:
    parsed = string.Formatter().parse(error.__doc__ or "")
    return {name for _, name, _, _ in parsed if name is not None}


def test_every_error_is_one_sentence_with_its_fields() -> None:
    for error in every_error():
        values = {name: f"<{name}>" for name in fields_of(error)}
        raised = error(**values)
        assert raised.fields == values
        said = str(raised)
        assert all(value in said for value in values.values()), error
        assert not any(mark in said for mark in ("{", "\n", "  ")), error
        if error.__name__ not in SAY_NOTHING_MORE:
            assert said.endswith((".", "python -m app migrate", "python -m app keys list")), error
            assert said[0].isupper(), error


def test_there_are_errors_to_look_at() -> None:
    assert {InvalidInput, DatabaseUnavailable} <= set(every_error())


def test_a_value_with_braces_or_lines_is_kept_as_it_is() -> None:
    assert str(InvalidInput(reason="{nothing} to {0} fill\nin")) == "{nothing} to {0} fill\nin"


@pytest.mark.parametrize(("count", "said"), [(0, "0 seconds"), (1, "1 second"), (2, "2 seconds")])
def test_one_second_is_said_as_one(count: int, said: str) -> None:
    assert f"Wait {said}, then" in str(TooManyRequests(retry_after=count))
    assert f"left alone for {said};" in str(CircuitOpen(dependency="model", seconds=count))


def test_a_field_that_was_forgotten_is_noticed() -> None:
    with pytest.raises(KeyError):
        DatabaseUnavailable()


@pytest.mark.parametrize(
    ("error", "what_to_do"),
    [
        (DatabaseUnavailable(reason="x"), "again in a moment"),
        (RoleBypassesRowSecurity(role="x"), "name it in DATABASE_URL"),
        (
            DimensionMismatch(stored_model="a", stored=1, wanted_model="b", wanted=2),
            "python -m app reembed",
        ),
    ],
)
def test_it_says_what_to_do(error: KeepsakeError, what_to_do: str) -> None:
    assert what_to_do in str(error)
