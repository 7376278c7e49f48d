"""A conversation whose figures are known by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def turn(name: str, day: str, kind: str, say: str, **words: Any) -> dict[str, Any]:
    return {"id": name, "day": day, "kind": kind, "say": say, **words}


def question(after: str, day: str, kind: str, ask: str, **words: Any) -> dict[str, Any]:
    return {"after": after, "day": day, "kind": kind, "ask": ask, **words}


@pytest.fixture
def ada() -> dict[str, Any]:
    """Of three groups two are kept, of two one stays out: three of four turns are as they should
    be."""
    return {
        "persona": "Ada, who bakes",
        "language": "en",
        "turns": [
            turn("t1", "2026-02-03", "preference", "I prefer rye bread over white bread.")
            | {"present": [["rye", "bread"], ["spelt"]], "absent": [["rye bread"]]},
            turn("t2", "2026-03-09", "chitchat", "Good morning!")
            | {"present": [["white bread"]], "absent": [["morning"]]},
        ],
        "questions": [
            question("t1", "2026-02-04", "direct", "Which bread do I prefer?", want=[["rye"]])
            | {"not_first": ["rye", "white"]},
            question("t1", "2026-02-04", "person", "Who eats spelt?", want=[["spelt"]]),
            question("t2", "2026-03-10", "silent", "What is my landlord called?", silent=True),
        ],
    }


def write_life(folder: Path, *conversations: dict[str, Any]) -> Path:
    """A folder with p1.json, p2.json …"""
    for number, each in enumerate(conversations, 1):
        (folder / f"p{number}.json").write_text(json.dumps(each), encoding="utf-8")
    return folder
