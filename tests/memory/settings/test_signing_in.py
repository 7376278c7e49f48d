from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from memory.config import Settings

JWT = {"auth_mode": "jwt", "jwt_issuer": "https://login.example.org/", "jwt_audience": "keepsake"}
URL = {"jwt_jwks_url": "https://login.example.org/keys"}
SECRET = "hunter2-" * 4


def make(**values: Any) -> Settings:
    return Settings.model_validate(values)


def refusal(**values: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        make(**values)
    return "; ".join(str(each["msg"]) for each in caught.value.errors(include_input=False))


def test_local_and_token_need_nothing() -> None:
    assert make().auth_mode == "local"
    assert make(auth_mode="token").auth_mode == "token"


@pytest.mark.parametrize(
    "source", [URL, {"jwt_jwks_file": "/etc/keys.json"}, {"jwt_secret": SECRET}]
)
def test_jwt_needs_one_source_of_keys(source: dict[str, str]) -> None:
    assert make(**JWT, **source).jwt_algorithms == ("RS256", "ES256")


WRONG: list[tuple[dict[str, str], str]] = [
    ({"auth_mode": "jwt"} | URL, "needs JWT_ISSUER and JWT_AUDIENCE"),
    (JWT | URL | {"jwt_audience": ""}, "needs JWT_AUDIENCE"),
    (JWT, "needs one of JWT_JWKS_URL, JWT_JWKS_FILE and JWT_SECRET"),
    (JWT | URL | {"jwt_secret": SECRET}, "and no two"),
    (JWT | {"jwt_secret": "short"}, "at least 32 bytes"),
    (JWT | {"jwt_jwks_url": "http://login.example.org/keys"}, "must begin with https://"),
    (JWT | {"jwt_jwks_url": "file:///etc/passwd"}, "must begin with https://"),
    (JWT | {"jwt_jwks_url": "https://ada:secret@login.example.org/"}, "must begin with"),
    (JWT | {"jwt_jwks_url": "http://localhost.evil.example/"}, "must begin with https://"),
    (JWT | {"jwt_jwks_url": "https://[::1"}, "must begin with https://"),
    (JWT | URL | {"jwt_algorithms": "HS256"}, "Input should be 'RS256'"),
    (JWT | URL | {"jwt_algorithms": "none"}, "Input should be 'RS256'"),
    (JWT | URL | {"jwt_algorithms": ""}, "at least 1 item"),
    ({"auth_mode": "proxy"}, "needs PROXY_ADDRESSES"),
    ({"auth_mode": "proxy", "proxy_addresses": ""}, "at least 1 item"),
    ({"auth_mode": "proxy", "proxy_addresses": "0.0.0.0/0"}, "must not hold every address"),
    ({"auth_mode": "proxy", "proxy_addresses": "10.0.0.0/8,::/0"}, "must not hold every"),
    ({"auth_mode": "proxy", "proxy_addresses": "proxy.internal"}, "not a valid IPv4 or IPv6"),
    ({"proxy_user_header": "X User"}, "should match pattern"),
    ({"auth_mode": "none"}, "Input should be 'local'"),
]


def test_says_what_is_wrong() -> None:
    told = [(refusal(**values), said) for values, said in WRONG]
    assert [(got, said) for got, said in told if said not in got or SECRET in got] == []


def test_a_secret_is_not_shown() -> None:
    assert SECRET not in repr(make(**JWT, jwt_secret=SECRET))


def test_reads_lists_parted_by_commas() -> None:
    read = make(
        auth_mode="proxy",
        proxy_addresses="10.0.0.0/8, 127.0.0.1, fd00::/8",
        jwt_algorithms="EdDSA, ES256",
    )
    assert [str(each) for each in read.proxy_addresses or ()] == [
        "10.0.0.0/8",
        "127.0.0.1/32",
        "fd00::/8",
    ]
    assert read.jwt_algorithms == ("EdDSA", "ES256")


@pytest.mark.parametrize(
    "url", ["http://localhost:8080/keys", "http://[::1]/k", "http://127.0.0.1/"]
)
def test_plain_http_is_for_this_machine(url: str) -> None:
    assert make(**JWT, jwt_jwks_url=url).jwt_jwks_url == url
