from __future__ import annotations

from memory.secrets.patterns import password_span


def value(text: str) -> str | None:
    span = password_span(text, 0)
    return text[slice(*span)] if span else None


PASSWORDS = [
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
]


def test_a_password() -> None:
    assert [(text, got) for text, expected in PASSWORDS if (got := value(text)) != expected] == []


TALK = [
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
]


def test_talk_about_one() -> None:
    assert [(text, got) for text in TALK if (got := value(text)) is not None] == []
