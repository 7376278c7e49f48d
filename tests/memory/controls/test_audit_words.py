from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from memory.actions.presentation import audit_sentence
from memory.store.audit import AuditEntry
from memory.types import Actor

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def entry(action: str, detail: dict[str, Any], actor: Actor = "user") -> AuditEntry:
    return AuditEntry(1, action, actor, None, None, detail, datetime(2026, 5, 1, tzinfo=UTC))


ENTRIES: list[tuple[str, dict[str, Any], str]] = [
    ("kept", {"why": "new"}, "You kept a memory."),
    ("answered", {"answer": "replaced"}, "You answered a question: the newer memory holds."),
    ("answered", {"answer": "both"}, "You answered a question: both hold."),
    ("edited", {"changed": ["occurred_at", "content"]}, "occurred at, text."),
    ("forgotten", {"for_good": True}, "You forgot a memory for good."),
    ("forgotten", {"for_good": False}, "You forgot a memory."),
    ("imported", {"kept": 2, "repeated": 1}, "2 new, 1 known already."),
    (
        "settings changed",
        {"space": "PestIQ", "changed": {"memory_mode": "read_only", "redact_messages": False}},
        "the space PestIQ (memory: read-only, redact messages: no).",
    ),
    ("something_new", {}, "You something new."),
]


def test_an_entry_is_one_sentence() -> None:
    told = [(audit_sentence(entry(action, detail)), said) for action, detail, said in ENTRIES]
    assert [(sentence, said) for sentence, said in told if not sentence.endswith(said)] == []


@given(
    st.sampled_from(["kept", "answered", "edited", "settings changed", "imported", "seeded", "x"]),
    st.dictionaries(st.sampled_from(["changed", "answer", "space", "kept", "count"]), JSON),
    st.sampled_from(get_args(Actor)),
)
def test_every_entry_is_a_sentence(action: str, detail: dict[str, Any], actor: Actor) -> None:
    said = audit_sentence(entry(action, detail, actor))
    assert said[0].isupper()
    assert said.endswith(".")
