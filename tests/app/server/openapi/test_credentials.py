"""What `/openapi.json` says of credentials."""

from __future__ import annotations

from typing import Any

import pytest

from app.api.application import make_application
from app.api.auth.caller import AuthMode
from app.api.dependencies import ApiServices
from tests.app.server.test_application import listing


def described(served: ApiServices, mode: AuthMode) -> dict[str, Any]:
    return make_application(listing(served, auth_mode=mode)).openapi()


@pytest.mark.parametrize("mode", ["token", "jwt"])
def test_a_key_or_a_session_is_asked_for(served: ApiServices, mode: AuthMode) -> None:
    document = described(served, mode)
    schemes = document["components"]["securitySchemes"]
    assert document["security"] == [{"bearer": []}, {"session": []}]
    assert (schemes["bearer"]["type"], schemes["bearer"]["scheme"]) == ("http", "bearer")
    assert (schemes["session"]["in"], schemes["session"]["name"]) == ("cookie", "__Host-keepsake")


@pytest.mark.parametrize("mode", ["local", "proxy"])
def test_where_no_credential_is_taken_none_is_asked_for(
    served: ApiServices, mode: AuthMode
) -> None:
    assert described(served, mode)["security"] == []


def test_signing_in_and_the_health_need_none_and_metrics_may_do_without(
    served: ApiServices,
) -> None:
    paths = described(served, "token")["paths"]
    for path, method in (
        ("/healthz", "get"),
        ("/readyz", "get"),
        ("/v1/session", "post"),
        ("/v1/session", "delete"),
    ):
        assert paths[path][method]["security"] == []
    assert paths["/metrics"]["get"]["security"] == [{}, {"bearer": []}, {"session": []}]
    assert "security" not in paths["/v1/me"]["get"]
