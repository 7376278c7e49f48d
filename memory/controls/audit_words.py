"""An entry of the audit log in one sentence for people. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from memory.models import Actor
from memory.store.audit import AuditEntry

Detail: TypeAlias = Mapping[str, Any]

_WHO: Mapping[Actor, str] = {
    "user": "You",
    "assistant": "The assistant",
    "learning": "Learning from what you said",
    "upkeep": "The upkeep",
    "import": "An import",
}
_DONE = {
    "kept": "kept a memory",
    "repeated": "met a memory again that was known already",
    "revived": "made a replaced memory hold again",
    "superseded": "replaced a memory by another one",
    "unsuperseded": "brought a replaced memory back",
    "doubted": "found a newer memory that may replace one, and asked",
    "pinned": "pinned a memory",
    "exported": "exported everything",
    "unpinned": "took the pin from a memory",
    "unforgotten": "brought a forgotten memory back",
    "erased": "erased a forgotten memory for good",
    "conversation_deleted": "deleted a conversation",
    "conversation_renamed": "gave a conversation another title",
    "said_forgotten": "forgot what was only said",
    "key added": "added an API key",
    "key revoked": "revoked an API key",
    "trimmed": "took a memory out of recall, since there were too many",
    "untrimmed": "brought a trimmed memory back",
    "rolled_up": "put old memories together into one",
    "archived": "archived a memory that a newer one tells of",
    "cleaned": "cleaned a memory away",
    "uncleaned": "brought back a memory that had been cleaned away",
    "retired": "took a memory out of recall that had been kept for as long as it may be",
    "removed": "removed for good a memory that had long been out of recall",
    "vectors_pruned": "dropped vectors that no search looks at",
    "refused_secret": "kept a secret out of memory",
    "refused_forgotten": "did not keep again what had been forgotten",
    "episode_started": "began an episode",
    "episode_completed": "ended an episode",
    "episode_dropped": "let go of an episode that there was the least to learn from",
    "episode_deleted": "removed an episode",
    "tombstone_lifted": "kept again what had been forgotten",
}
_HELD = {"older": "the older memory holds", "both": "both hold"}
_SETTINGS = {"memory_mode": "memory", "incognito_default": "new conversations incognito"}


def sentence_of(entry: AuditEntry) -> str:
    """Who did what; never when, and never words of a memory."""
    return f"{_WHO[entry.actor]} {_done(entry)}."


def _done(entry: AuditEntry) -> str:
    told = _TOLD.get(entry.action)
    if told is not None:
        return told(entry.detail)
    return _DONE.get(entry.action, entry.action.replace("_", " "))


def _answered(detail: Detail) -> str:
    held = _HELD.get(str(detail.get("answer")), "the newer memory holds")
    return f"answered a question: {held}"


def _changed_settings(detail: Detail) -> str:
    changed = detail.get("changed")
    named = changed.items() if isinstance(changed, Mapping) else ()
    said = [f"{_SETTINGS.get(name, name.replace('_', ' '))}: {_word(to)}" for name, to in named]
    return f"changed the settings of the space {detail.get('space')} ({', '.join(said)})"


def _edited(detail: Detail) -> str:
    return f"corrected a memory: {_listed(detail.get('changed'))}"


def _forgotten(detail: Detail) -> str:
    return "forgot a memory for good" if detail.get("for_good") else "forgot a memory"


def _imported(detail: Detail) -> str:
    return f"imported a file: {detail.get('kept')} new, {detail.get('repeated')} known already"


def _seeded(detail: Detail) -> str:
    return f"loaded {detail.get('count')} memories from a file"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", "-")


def _listed(names: object) -> str:
    said = [str(name).replace("_", " ") for name in names] if isinstance(names, list) else []
    return ", ".join("text" if name == "content" else name for name in said) or "nothing"


_TOLD: Mapping[str, Callable[[Detail], str]] = {
    "answered": _answered,
    "settings changed": _changed_settings,
    "edited": _edited,
    "forgotten": _forgotten,
    "imported": _imported,
    "seeded": _seeded,
}
