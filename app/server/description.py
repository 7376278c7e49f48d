"""The OpenAPI document as people read it: the first line of a route's docstring is its summary."""

from __future__ import annotations

from typing import Any


def say_summaries(document: dict[str, Any]) -> None:
    """Changes the document in place; a route without a docstring keeps its name as its summary."""
    for path in document.get("paths", {}).values():
        for operation in path.values():
            first, _, rest = operation.get("description", "").partition("\n\n")
            if not first:
                continue
            operation["summary"] = " ".join(first.split()).removesuffix(".")
            operation["description"] = rest or first
