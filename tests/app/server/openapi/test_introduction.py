"""What `/openapi.json` says of the whole."""

from __future__ import annotations

from typing import Any

import pytest

from app.api.application import make_application
from app.api.dependencies import ApiServices
from app.api.events import EVENTS


@pytest.fixture
def document(served: ApiServices) -> dict[str, Any]:
    return make_application(served).openapi()


def test_it_names_the_modes_the_stream_and_mcp(document: dict[str, Any]) -> None:
    told = document["info"]["description"]
    for word in (
        "`local`",
        "`token`",
        "`jwt`",
        "`proxy`",
        "POST /mcp",
        "Last-Event-ID",
        "RFC 9457",
    ):
        assert word in told
    assert all(f"`{event}`" in told for event in EVENTS)


def test_every_group_of_addresses_is_described(document: dict[str, Any]) -> None:
    used = {
        tag for path in document["paths"].values() for each in path.values() for tag in each["tags"]
    }
    assert {tag["name"] for tag in document["tags"] if tag["description"]} == used


def test_the_server_is_the_one_that_was_asked(document: dict[str, Any]) -> None:
    assert [server["url"] for server in document["servers"]] == ["/"]


@pytest.mark.parametrize(
    ("path", "method"), [("/v1/chat", "post"), ("/v1/chat/{turn_id}/events", "get")]
)
def test_the_schema_of_a_stream_is_that_of_one_event(
    document: dict[str, Any], path: str, method: str
) -> None:
    stream = document["paths"][path][method]["responses"]["200"]["content"]["text/event-stream"]
    assert "schema" not in stream
    assert "contentSchema" in stream["itemSchema"]["properties"]["data"]
