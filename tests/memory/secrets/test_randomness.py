from __future__ import annotations

from memory.secrets.keys import find_random_tokens, is_random

TOKEN = "Xk29dLq8Zt4Rv7Wm1Ns6Bp3Yc5Hg0JfQ"


def test_a_long_mixture_is_found_where_it_stands() -> None:
    [secret] = find_random_tokens(f"it is {TOKEN}.")
    assert (secret.kind, secret.start, secret.end) == ("secret", 6, 6 + len(TOKEN))


ORDERED = [
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "9FCEB02D0AE598E95DC970B74767F19372D61AF8",
    "550e8400-e29b-41d4-a716-446655440000",
    "TestUserCanLogInWithOAuth2AndThenLogOutAgain",
    "My-Long-File-Name-2023-Version-12-Final-Draft",
    "aA1bB2" * 10,
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
]


def test_what_has_an_order_is_not_random() -> None:
    assert [token for token in ORDERED if is_random(token)] == []


PUBLIC = [
    f"https://docs.example.org/d/{TOKEN}/edit",
    f"/home/ada/files/{TOKEN}",
    f"ssh-ed25519 {TOKEN}",
    f"sha512-{TOKEN}==",
    f"data:image/png;base64,{TOKEN}",
    TOKEN[:31],
]


def test_what_is_public_by_where_it_stands_stays() -> None:
    assert [text for text in PUBLIC if list(find_random_tokens(text))] == []
