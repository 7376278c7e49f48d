"""Short threads for the tests of the writing set, with their labels."""

from __future__ import annotations

from typing import Any

SAID_AT = "2026-06-15T09:00:00+02:00"


def turn(
    name: str,
    said: str,
    *stems: str,
    category: str = "identity",
    repeats: str | None = None,
    replaces: str | None = None,
    doubtful: bool = False,
    secret: str | None = None,
    occurred_on: str | None = None,
) -> dict[str, Any]:
    """A turn of which the `stems` are to be kept in one memory; none without any."""
    return {
        "id": name,
        "said_at": SAID_AT,
        "said": said,
        "keep": [keep(*stems, occurred_on=occurred_on)] if stems else [],
        "category": category,
        "repeats": repeats,
        "replaces": replaces,
        "doubtful": doubtful,
        "secret": secret,
    }


def keep(*stems: str, occurred_on: str | None = None) -> dict[str, Any]:
    return {
        "about": "",
        "must_hold": list(stems),
        "must_not_hold": [],
        "type": ["fact"],
        "bank": ["Personal", "General"],
        "occurred_on": occurred_on,
    }


LABELS: dict[str, Any] = {
    "now": SAID_AT,
    "threads": [
        {
            "id": "home",
            "title": "a home",
            "turns": [
                turn("t1", "I live in Bergen.", "bergen"),
                turn("t2", "What a day!", category="junk"),
            ],
        }
    ],
}
