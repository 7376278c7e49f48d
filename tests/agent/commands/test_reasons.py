"""Why a memory is there, in the language of the conversation."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from agent.commands.reasons import reason_lines
from agent.wording.wording import IN_ENGLISH, Wording
from memory.models import HeardAs, KeptItem
from memory.store.audit import AuditEntry
from memory.store.memories.details import Details

ID = UUID("12345678-0000-0000-0000-000000000000")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ITEM = KeptItem(
    id=ID,
    content="I like uv",
    type="preference",
    space="default",
    bank="Work",
    role="user",
    tags=(),
    importance=0.5,
    pinned=False,
    manually_saved=False,
    created_at=NOON,
    occurred_at=None,
    source_message_id=ID,
    repeat_count=2,
    superseded_by=None,
    deleted_at=None,
    heard=HeardAs(kind="update", category="preference", lifetime="long", sure=0.934),
)
OLDER = ITEM.model_copy(update={"content": "I like pip"})


def details(item: KeptItem, older: tuple[KeptItem, ...] = ()) -> Details:
    return Details(item, older, None, None, 0, None, None)


def test_a_reason_says_where_it_comes_from_and_as_what_it_was_heard() -> None:
    entries = [AuditEntry(1, "pinned", "user", ID, None, {}, NOON)]
    assert reason_lines(details(ITEM, (OLDER,)), entries, IN_ENGLISH) == [
        "“I like uv”: learned from what you said, 4 May 2026",
        "- heard as a change (preference, lasts), 93% sure",
        "- said again 2 times",
        "- took the place of “I like pip”",
        "- 2026-05-04 12:00 UTC: pinned 12345678 by you",
    ]


def test_what_nobody_read_tells_no_kind() -> None:
    asked = ITEM.model_copy(update={"heard": None, "manually_saved": True, "repeat_count": 0})
    assert reason_lines(details(asked), [], IN_ENGLISH) == [
        "“I like uv”: you asked me to keep it, 4 May 2026"
    ]


def test_a_reason_is_given_in_the_language() -> None:
    first, heard, *_ = reason_lines(details(ITEM), [], Wording("de"))
    assert first == "„I like uv“: gelernt aus dem, was du am 4. Mai 2026 gesagt hast"
    assert heard == "- gehört als Änderung (Vorliebe, bleibt), zu 93% sicher"
