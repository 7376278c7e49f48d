"""Classes of secrets, each with its look-alikes."""

from __future__ import annotations

import json
from pathlib import Path

from memory.secrets import find_secrets, redact

CLASSES = {
    name: cases
    for file in ("labelled_widely.json", "labelled_numbers.json")
    for name, cases in json.loads(Path(__file__).with_name(file).read_text("utf-8")).items()
}
SECRETS = [
    (name, case["said"], case["kept"])
    for name, cases in CLASSES.items()
    for case in cases["secrets"]
]
ORDINARY = [(name, text) for name, cases in CLASSES.items() for text in cases["ordinary"]]


def test_a_secret_goes_and_stays_gone() -> None:
    wrong = [(name, said, got) for name, said, kept in SECRETS if (got := redact(said)) != kept]
    assert wrong == []
    assert [(name, kept) for name, _, kept in SECRETS if find_secrets(kept)] == []


def test_a_look_alike_stays() -> None:
    assert [(name, text, got) for name, text in ORDINARY if (got := find_secrets(text))] == []
