from __future__ import annotations

from pydantic import ValidationError

from memory.config import Settings
from tests.tables import refusal

ADDRESSES = ["127.0.0.1", "0.0.0.0", "::", "::1", "localhost", "app", "my_app.internal", "a1"]


def test_an_address_for_metrics_is_taken() -> None:
    assert [
        host
        for host in ADDRESSES
        if Settings.model_validate({"metrics_host": host}).metrics_host != host
    ] == []


NO_ADDRESSES = [
    *("127.0.0.300", "127.0.0.1:9464", "127.0.0.1/8", "http://127.0.0.1", "[::1]"),
    *("no such host", "a..b", "a.", "1", "*", "x" * 64),
]


def test_what_is_no_address_is_refused() -> None:
    told = [
        (host, refusal(ValidationError, Settings.model_validate, {"metrics_host": host}))
        for host in NO_ADDRESSES
    ]
    reason = "must be an address of this machine"
    assert [(host, said) for host, said in told if reason not in str(said)] == []
