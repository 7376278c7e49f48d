"""Memories as the clustering sees them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memory.store.lifecycle import RollUpSource
from tests.memory.fakes import vector_of

START = datetime(2026, 1, 1, tzinfo=UTC)


def source(number: int, content: str, **fields: Any) -> RollUpSource:
    """The memory of that number, a day younger than the one before."""
    values: dict[str, Any] = {
        "id": UUID(int=number),
        "content": content,
        "type": "fact",
        "space": "default",
        "bank": "General",
        "role": "user",
        "tags": (),
        "source_ids": (),
        "importance": 0.5,
        "metadata_confidence": 0.5,
        "created_at": START + timedelta(days=number),
        "occurred_at": None,
        "embedding": vector_of(content),
        "embedding_model": "words",
    }
    return RollUpSource(**values | fields)
