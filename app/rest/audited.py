"""What was done with a memory, as REST tells of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel

from memory.controls.audit_words import sentence_of
from memory.models import Actor
from memory.store.audit import AuditEntry


class Audited(BaseModel):
    """One entry of the audit log: never words of a memory, but `said` tells of it in a sentence.
    `correlation_id` names the request or the turn it was done in."""

    id: int
    action: str
    actor: Actor
    item_id: UUID | None
    correlation_id: UUID | None
    detail: dict[str, Any]
    said: str
    created_at: datetime

    @classmethod
    def of(cls, entry: AuditEntry) -> Self:
        return cls(
            id=entry.id,
            action=entry.action,
            actor=entry.actor,
            item_id=entry.item_id,
            correlation_id=entry.correlation_id,
            detail=dict(entry.detail),
            said=sentence_of(entry),
            created_at=entry.created_at,
        )


def audited(entries: Iterable[AuditEntry]) -> list[Audited]:
    return [Audited.of(entry) for entry in entries]
