"""What a recall brought back, as the model reads it. Pure."""

from __future__ import annotations

import json
from typing import Any

from memory.dates.periods import day_name
from memory.recall.shown.context import Entry, grouped
from memory.recalls import MemoryQueryResponse, MessageQueryResponse, RecalledMessage
from prompts import load_prompt


def recall_result(
    response: MemoryQueryResponse,
    messages: MessageQueryResponse | None = None,
    *,
    incognito: bool = False,
) -> str:
    """The tool's answer as JSON, labelled as advisory; its strings cannot close a tag. It speaks of
    messages where they were asked for. `incognito` is of a conversation that may not read memory,
    which then is not switched off."""
    result: dict[str, Any] = {
        "notice": load_prompt("recalled_notice"),
        "memories": [
            _for_the_model(entry, group.name)
            for group in grouped(response.items)
            for entry in group.entries
        ],
        "metadata": {
            "count": len(response.items),
            "truncated": response.truncated or response.total_count > len(response.items),
            "error": response.error,
            "rate_limited": response.rate_limited,
            "off": response.off and not incognito,
            "incognito": incognito,
        },
    }
    if messages is not None:
        result["messages"] = [_said(item) for item in messages.items]
        result["metadata"]["messages_error"] = messages.error or messages.rate_limited
    text = json.dumps(result, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _for_the_model(entry: Entry, group: str | None) -> dict[str, Any]:
    """001's fields, and where the memory belongs (000): memories of one group stand together."""
    item = entry.item
    return {
        "content": item.content,
        "type": item.type,
        "relevance": round(item.relevance_score, 2),
        "context": entry.dated,
        "group": group,
        "sources": list(entry.sources),
    }


def _said(item: RecalledMessage) -> dict[str, Any]:
    return {
        "content": item.content,
        "said_by": item.role,
        "relevance": round(item.relevance_score, 2),
        "context": f"said on {day_name(item.created_at.astimezone())}",
        "before": item.before,
        "after": item.after,
    }
