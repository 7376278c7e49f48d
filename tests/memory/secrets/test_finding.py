from __future__ import annotations

import json
import random
import string
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memory.secrets import SECRET_KINDS, Secret, find_secrets, redact
from tests.memory.growth import grows_too_fast

LABELLED = json.loads(Path(__file__).with_name("labelled.json").read_text("utf-8"))

# Texts made of what secrets are made of, so that they touch, overlap and break off.
PIECES = st.sampled_from(
    [
        *(
            "password",
            "my password is",
            "the PIN for",
            "is",
            "was",
            "and",
            "in",
            ":",
            "=",
            " ",
            "\n",
        ),
        *("hunter2", "swordfish", "4821", "4111 1111 1111 1111", "4111111111111111", "12/25 123"),
        *("sk-", "abc123def456ghi789", "eyJ", ".", "-----BEGIN RSA PRIVATE KEY-----", "token", "a"),
        *("-----END RSA PRIVATE KEY-----", "postgres://ada:", "@db", '"', "'", "“", "”", ",", "-"),
        *("Xk29dLq8Zt4Rv7Wm1Ns6Bp3Yc5Hg0JfQ", "[password removed]", "[card number", " removed]"),
        *("api key", "Bearer", "cvv", "123", "NO93 8601 1117 947", "https://example.org/"),
        *(
            "pw",
            "log in as kari with",
            "login is kari /",
            "curl -u kari:",
            "mot de passe",
            "Soleil#88",
        ),
        *("my SSN is", "078-05-1120", "bank account", "1234.56.78903", "backup codes", "４１１１"),
    ]
)
tangled = st.lists(PIECES, max_size=14).map("".join) | st.lists(PIECES, max_size=14).map(" ".join)


def test_a_secret_goes_and_the_rest_stays() -> None:
    cases = [(each["said"], each["kept"]) for each in LABELLED["secrets"]]
    assert [(said, got) for said, kept in cases if (got := redact(said)) != kept] == []


def test_ordinary_talk_stays_as_it_is() -> None:
    ordinary = LABELLED["ordinary"]
    assert [(text, found) for text in ordinary if (found := find_secrets(text))] == []
    assert [(text, got) for text in ordinary if (got := redact(text)) != text] == []


@given(tangled)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert find_secrets(once) == []


@given(tangled | st.text(max_size=80))
def test_what_is_found_is_in_order_apart_and_inside(text: str) -> None:
    end = 0
    for secret in find_secrets(text):
        assert end <= secret.start < secret.end <= len(text)
        end = secret.end


@given(st.text("abcdefghij ,.!?\n", max_size=200))
def test_words_alone_are_no_secret(text: str) -> None:
    assert redact(text) == text


def test_a_mark_is_never_taken_for_a_secret() -> None:
    texts = [
        text
        for kind in SECRET_KINDS
        for text in (
            f"my password is [{kind} removed]",
            f"token: '[{kind} removed]'.",
            f"[{kind} removed]",
        )
    ]
    assert [(text, got) for text in texts if (got := redact(text)) != text] == []


def test_no_value_reaches_across_a_mark() -> None:
    said = "password: 'abc1 [PIN removed] rest'"
    assert redact(said) == "password: '[password removed] [PIN removed] rest'"


def test_what_only_shows_when_another_is_gone_goes_too() -> None:
    said = "-----BEGIN RSA PRIVATE KEY-----4111 1111 1111 1111"
    assert redact(said) == "[private key removed][card number removed]"


def test_a_secret_says_nothing_of_itself() -> None:
    [secret] = find_secrets("my password is hunter2")
    assert secret == Secret("password", 15, 22)
    assert "hunter" not in repr(secret)


def test_of_two_kinds_the_form_says_more_than_the_name() -> None:
    key = "sk-" + "abc123" * 5
    assert redact(f"my password is {key}") == "my password is [API key removed]"


def test_several_in_one_text() -> None:
    said = "my PIN is 4821, card 4111 1111 1111 1111, and the wifi password is bananabread"
    kept = "my PIN is [PIN removed], card [card number removed], "
    assert redact(said) == kept + "and the wifi password is [password removed]"


HOSTILE = [
    *(
        "password is ",
        "password for a b c d e ",
        "is my ",
        "hunter2 is my password ",
        '"',
        "a",
        "1 ",
    ),
    *(
        "4111 ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\n-",
        "sk-a",
        "eyJ",
    ),
    *(
        "eyJaaaaaa.",
        "a://",
        "http://a:",
        "NO93 8601 ",
        "Ab1/",
        "bearer ",
        "token is ",
        "PIN for a ",
    ),
    *("password: '", "password \n", "word ", "é", "seed phrase: abc ", "pass, ", "code for the "),
    *("curl -u a ", "mysql -p ", "net user a ", "pw ", "pass is ", "login is a ", "log in as a "),
    *("user a and ", "passwort a ", "mot de passe : ", "密码", "password is the a, ", "ssn 1"),
    *(
        "backup codes 1234 ",
        "bank account 1",
        "NO9386011117947 ",
        "AKIAIOSFODNN7EXAMPLE ",
        "iban 1 ",
    ),
    *("password. it is ", "1 is my ", "key Ab1", "４", "log ", "echo a"),
]


def test_time_grows_with_the_length_and_no_faster() -> None:
    assert grows_too_fast(find_secrets, HOSTILE, length=16_000) == []


def test_a_random_token_is_found_nearly_always() -> None:
    chance = random.Random(7)
    tokens = [
        "".join(chance.choices(string.ascii_letters + string.digits, k=40)) for _ in range(300)
    ]
    found = [
        token for token in tokens if redact(f"it is {token} here") == "it is [secret removed] here"
    ]
    assert len(found) >= 0.97 * len(tokens)
