from __future__ import annotations

import pytest

from app.terminal.switches import _switch
from memory.errors import InvalidInput


def test_on_and_off_in_any_case() -> None:
    assert _switch("/redact", "ON")
    assert not _switch("/redact", "off")


@pytest.mark.parametrize("words", ["", "maybe", "on please"])
def test_anything_else_is_asked_back(words: str) -> None:
    with pytest.raises(InvalidInput, match="/private on, or /private off"):
        _switch("/private", words)
