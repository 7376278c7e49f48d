"""The OpenAPI document as people and programs read it."""

from __future__ import annotations

from typing import Any

_STREAM = "text/event-stream"


def say_summaries(document: dict[str, Any]) -> None:
    """Takes the first line of each route's docstring for its summary, in place; a route without a
    docstring keeps its name."""
    for path in document.get("paths", {}).values():
        for operation in path.values():
            first, _, rest = operation.get("description", "").partition("\n\n")
            if not first:
                continue
            operation["summary"] = " ".join(first.split()).removesuffix(".")
            operation["description"] = rest or first


def say_events(document: dict[str, Any]) -> None:
    """Says of each stream that its schema is that of the data of one event, in place: else it is
    read as that of the whole stream."""
    for path in document.get("paths", {}).values():
        for operation in path.values():
            for response in operation.get("responses", {}).values():
                stream = response.get("content", {}).get(_STREAM, {})
                if "schema" in stream and "itemSchema" in stream:
                    stream["itemSchema"] = _event(stream["itemSchema"], stream.pop("schema"))


def _event(item: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    told = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    return item | {"required": ["data"], "properties": item["properties"] | {"data": told}}
