from __future__ import annotations

import pytest

from memory.secrets import redact

BODY = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"

API_KEYS = [
    *("sk-", "sk-proj-", "sk-ant-api03-", "sk_live_", "sk_test_", "pk_live_", "rk_live_", "pk_"),
    *("whsec_", "AIza", "GOCSPX-", "gsk_", "dop_v1_", "shpat_", "xai-", "pplx-"),
]
ACCESS_TOKENS = [
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-"),
    *("hf_", "npm_", "pypi-", "ya29."),
]


def test_a_key_is_known_by_its_prefix() -> None:
    said = [f"use {prefix}{BODY}, please" for prefix in API_KEYS]
    assert [
        (key, got) for key in said if (got := redact(key)) != "use [API key removed], please"
    ] == []


def test_a_token_is_known_by_its_prefix() -> None:
    said = [f"({prefix}{BODY})" for prefix in ACCESS_TOKENS]
    assert [
        (token, got) for token in said if (got := redact(token)) != "([access token removed])"
    ] == []


@pytest.mark.parametrize("prefix", ["AKIA", "ASIA"])
def test_aws(prefix: str) -> None:
    key = prefix + "IOSFODNN7EXAMPLE"
    assert redact(f"id {key}.") == "id [API key removed]."
    assert redact(f"id {key}X") == f"id {key}X"
    secret = "wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYEXAMPLEKEY"
    assert (
        redact(f"aws_secret_access_key = {secret}") == "aws_secret_access_key = [API key removed]"
    )


def test_sendgrid_telegram_and_web_tokens() -> None:
    assert redact(f"SG.{BODY[:22]}.{BODY}") == "[API key removed]"
    assert redact(f"bot 123456789:AA{BODY[:33]}") == "bot [access token removed]"
    web_token = ".".join(("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dozjgNryP4J3jVmNHl0w5N"))
    assert redact(f"it is {web_token}") == "it is [access token removed]"


def test_an_authorization_header() -> None:
    assert redact("Authorization: Bearer abc-123-def-456") == (
        "Authorization: Bearer [access token removed]"
    )
    assert redact("a bearer of responsibilities") == "a bearer of responsibilities"


@pytest.mark.parametrize("kind", ["RSA PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_a_private_key_goes_from_begin_to_end(kind: str) -> None:
    key = f"-----BEGIN {kind}-----\nProc-Type: 4,ENCRYPTED\n\n{BODY}\n{BODY}\n-----END {kind}-----"
    assert redact(f"my key:\n{key}\nkeep it") == "my key:\n[private key removed]\nkeep it"
    in_json = key.replace("\n", "\\n")
    assert redact(f'{{"key": "{in_json}", "a": 1}}') == '{"key": "[private key removed]", "a": 1}'


def test_a_private_key_without_its_end_goes_too() -> None:
    text = f"here:\n-----BEGIN OPENSSH PRIVATE KEY-----\n{BODY}\n{BODY}\n\nwhy is it refused?"
    assert redact(text) == "here:\n[private key removed]\n\nwhy is it refused?"


def test_a_public_key_and_a_certificate_stay() -> None:
    for text in (
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
    ):
        assert redact(text) == text


def test_a_url_with_a_login_goes_as_a_whole() -> None:
    for url in (
        "postgres://ada:p@ss/w0rd@db:5432/app",
        "redis://:pw@localhost",
        "https://a:b@c.d/e",
    ):
        assert redact(f"on {url}.") == "on [connection string removed]."
    for url in ("postgres://db:5432/app", "https://example.org/@ada:x", "ssh://ada@host"):
        assert redact(url) == url
