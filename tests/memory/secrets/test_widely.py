"""Classes of secrets, each with its look-alikes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.secrets import find_secrets, redact

CLASSES = {
    name: cases
    for file in ("labelled_widely.json", "labelled_numbers.json")
    for name, cases in json.loads(Path(__file__).with_name(file).read_text("utf-8")).items()
}
SECRETS = [
    pytest.param(case["said"], case["kept"], id=f"{name}-{number}")
    for name, cases in CLASSES.items()
    for number, case in enumerate(cases["secrets"])
]
ORDINARY = [
    pytest.param(text, id=f"{name}-{number}")
    for name, cases in CLASSES.items()
    for number, text in enumerate(cases["ordinary"])
]


@pytest.mark.parametrize(("said", "kept"), SECRETS)
def test_a_secret_goes_and_stays_gone(said: str, kept: str) -> None:
    assert redact(said) == kept
    assert find_secrets(kept) == []


@pytest.mark.parametrize("text", ORDINARY)
def test_a_look_alike_stays(text: str) -> None:
    assert find_secrets(text) == []
