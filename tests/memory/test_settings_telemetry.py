from __future__ import annotations

import pytest
from pydantic import ValidationError

from memory.config import Settings


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "0.0.0.0", "::", "::1", "localhost", "app", "my_app.internal", "a1"]
)
def test_an_address_for_metrics_is_taken(host: str) -> None:
    assert Settings.model_validate({"metrics_host": host}).metrics_host == host


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.300", "127.0.0.1:9464", "127.0.0.1/8", "http://127.0.0.1", "[::1]"),
        *("no such host", "a..b", "a.", "1", "*", "x" * 64),
    ],
)
def test_what_is_no_address_is_refused(host: str) -> None:
    with pytest.raises(ValidationError, match="must be an address of this machine"):
        Settings.model_validate({"metrics_host": host})
