from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from memory.controls.readable import audit_lines, summary_text
from memory.controls.summary import BankSummary, Summary
from memory.models import KeptItem
from memory.store.audit import AuditEntry
from tests.memory.controls.conftest import NOW

ID = UUID("12345678-0000-0000-0000-000000000000")


def item(content: str, *, pinned: bool = False) -> KeptItem:
    return KeptItem(
        id=ID,
        content=content,
        type="fact",
        space="default",
        bank="Work",
        role="user",
        tags=(),
        importance=0.5,
        pinned=pinned,
        manually_saved=False,
        created_at=NOW,
        occurred_at=None,
        source_message_id=ID,
        repeat_count=2,
        superseded_by=None,
        deleted_at=None,
    )


def test_a_summary_goes_bank_by_bank() -> None:
    work = BankSummary("Work", 4, 1, (item("User likes uv", pinned=True), item("User codes")))
    health = BankSummary("Health", 1, 0, (item("User runs"),))
    assert summary_text(Summary("default", (work, health))).splitlines() == [
        "Work (4, 1 pinned)",
        "- User likes uv (pinned)",
        "- User codes",
        "- and 2 more",
        "Health (1)",
        "- User runs",
    ]
    assert summary_text(Summary("default", ())) == ""


def test_an_entry_says_when_what_and_who() -> None:
    detail = {"history": "redact", "for_good": True, "removed": {"items": 1}, "older": []}
    entries = [
        AuditEntry(2, "erased", "upkeep", ID, None, detail, NOW),
        AuditEntry(1, "settings changed", "user", None, None, {}, NOW - timedelta(minutes=1)),
    ]
    assert audit_lines(entries) == [
        (
            "2026-05-04 12:00 UTC: erased 12345678 by upkeep"
            " (history: redact, for good: yes, removed: items 1)"
        ),
        "2026-05-04 11:59 UTC: settings changed by you",
    ]
