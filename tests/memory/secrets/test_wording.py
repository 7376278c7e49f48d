from __future__ import annotations

import pytest

from memory.secrets.patterns import password_span


def value(text: str) -> str | None:
    span = password_span(text, 0)
    return text[slice(*span)] if span else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hunter2.", "hunter2"),
        ("swordfish and nobody knows", "swordfish"),
        ("correct horse battery staple", "correct horse battery staple"),
        ("purple monkey dishwasher for the router", "purple monkey dishwasher"),
        ("hunter username: bob", "hunter"),
        ("'open sesame', really", "open sesame"),
        ("“the cat's paw”", "the cat's paw"),
        ("P@ss!", "P@ss!"),
        ("marmalade-otter-19.", "marmalade-otter-19"),
        ("openSesame", "openSesame"),
        ("123456", "123456"),
        ("blå-bær", "blå-bær"),
    ],
)
def test_a_password(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "...",
            "?",
            "********",
            "xxxx",
            "<secret>",
            "${SECRET}",
            "{{ password }}",
            "'%s'",
        ),
        *(
            "too short",
            "in the drawer",
            "hashed",
            "changeable",
            "rarely used",
            "12 characters",
            "3rd",
        ),
        *(
            "'string'",
            "str",
            "None",
            "getpass()",
            "self.password",
            "data['password']",
            "n/a",
            "//x",
        ),
        *("case-sensitive", "your_password", "and/or", "not what I thought it was"),
    ],
)
def test_talk_about_one(text: str) -> None:
    assert value(text) is None
