"""How the sentence of an error is filled, with each number of seconds as it is said."""

from __future__ import annotations

import string
from collections.abc import Mapping


def filled(sentence: str, fields: Mapping[str, object]) -> str:
    """The sentence with its `{fields}`, and a number with its unit for `{field:seconds}`. Raises
    KeyError for a field that is not there."""
    return _Filling().vformat(sentence, (), fields)


def in_seconds(count: object) -> str:
    """ "1 second", "2 seconds"."""
    return f"{count} second" if count == 1 else f"{count} seconds"


class _Filling(string.Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec == "seconds":
            return in_seconds(value)
        return format(value, format_spec)
