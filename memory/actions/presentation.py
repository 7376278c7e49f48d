"""The audit log, summaries and proofs in sentences for people. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from memory.actions.entries import BankSummary, MemorySummary
from memory.actions.forgetting.proof import ErasureProof, ProofProbe, ProofRecall
from memory.store.audit import AuditEntry
from memory.types import Actor, StoredMemory

AuditDetail: TypeAlias = Mapping[str, Any]

_ACTOR_SUBJECTS: Mapping[Actor, str] = {
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
    "edit_undone": "gave a corrected memory its words from before",
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


def audit_sentence(entry: AuditEntry) -> str:
    """Who did what; never when, and never words of a memory."""
    return f"{_ACTOR_SUBJECTS[entry.actor]} {_done(entry)}."


def _done(entry: AuditEntry) -> str:
    told = _TOLD.get(entry.action)
    if told is not None:
        return told(entry.detail)
    return _DONE.get(entry.action, entry.action.replace("_", " "))


def _answered(detail: AuditDetail) -> str:
    held = _HELD.get(str(detail.get("answer")), "the newer memory holds")
    return f"answered a question: {held}"


def _changed_settings(detail: AuditDetail) -> str:
    changed = detail.get("changed")
    named = changed.items() if isinstance(changed, Mapping) else ()
    said = [f"{_SETTINGS.get(name, name.replace('_', ' '))}: {_word(to)}" for name, to in named]
    return f"changed the settings of the space {detail.get('space')} ({', '.join(said)})"


def _edited(detail: AuditDetail) -> str:
    return f"corrected a memory: {_listed(detail.get('changed'))}"


def _forgotten(detail: AuditDetail) -> str:
    return "forgot a memory for good" if detail.get("for_good") else "forgot a memory"


def _imported(detail: AuditDetail) -> str:
    return f"imported a file: {detail.get('kept')} new, {detail.get('repeated')} known already"


def _seeded(detail: AuditDetail) -> str:
    return f"loaded {detail.get('count')} memories from a file"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", "-")


def _listed(names: object) -> str:
    said = [str(name).replace("_", " ") for name in names] if isinstance(names, list) else []
    return ", ".join("text" if name == "content" else name for name in said) or "nothing"


_TOLD: Mapping[str, Callable[[AuditDetail], str]] = {
    "answered": _answered,
    "settings changed": _changed_settings,
    "edited": _edited,
    "forgotten": _forgotten,
    "imported": _imported,
    "seeded": _seeded,
}


_ACTOR_NAMES = {
    "user": "you",
    "assistant": "the assistant",
    "learning": "learning",
    "upkeep": "upkeep",
    "import": "an import",
}
_NOTHING: tuple[object, ...] = (None, "", [], 0, False)
_REMOVED = {
    "items": "memory",
    "vectors": "vector",
    "search_rows": "search row",
    "messages_redacted": "message redacted",
    "messages_deleted": "message deleted",
    "titles_redacted": "title redacted",
    "episodes_redacted": "episode redacted",
}


def summary_text(summary: MemorySummary) -> str:
    """Bank by bank, the pinned ones marked; empty where nothing is known."""
    return "\n".join(line for bank in summary.banks for line in _bank_lines(bank))


def audit_lines(entries: Iterable[AuditEntry]) -> list[str]:
    """One line for each: when, what and who; never content."""
    return [_audit_line(entry) for entry in entries]


def reason_lines(item: StoredMemory, history: Sequence[AuditEntry]) -> list[str]:
    """Why it is known: when and from where it was learned, and what was done with it since."""
    how = "you asked me to keep it" if item.manually_saved else "learned from what you said"
    lines = [f"“{item.content}”: {how}, {_day(item.created_at)}"]
    if item.repeat_count:
        lines.append(f"- said again {_times(item.repeat_count)}")
    return lines + [f"- {line}" for line in audit_lines(history)]


def proof_text(proof: ErasureProof) -> str:
    """What was removed, when, and what the searches for it found."""
    grave, probe = proof.grave, proof.probe
    lines = [f"Forgotten: {_moment(grave.forgotten_at)}"]
    if grave.erased_at is None:
        return "\n".join([*lines, f"Not erased yet: that is due {_moment(grave.erase_after)}"])
    lines.append(f"Erased: {_moment(grave.erased_at)}")
    lines.append(f"Removed: {_removed(grave.removed)}")
    lines.append("Its row: " + ("still there" if proof.row_is_there else "gone"))
    lines += _probe_lines(probe)
    lines.append(_messages_line(proof))
    if probe.episodes:
        lines.append(f"Episodes that hold it: {probe.alike_episodes} of {probe.episodes}")
    if proof.recalled is not None:
        lines.append(_recalled_line(proof.recalled))
    lines.append("It is gone." if proof.holds else "Something of it is left.")
    return "\n".join(lines)


def _probe_lines(probe: ProofProbe) -> list[str]:
    """The searches for it, which know only its marks: neither words nor vector are left."""
    meant = probe.alike_memories - probe.worded_alike
    nearest = ""
    if probe.best_similarity is not None:
        nearest = f"; the nearest is {probe.best_similarity:.2f} of 1 like it"
    among = f"{probe.memories} {'memory' if probe.memories == 1 else 'memories'}"
    return [
        f"Searched again in its space, by the digests that are left of it ({among}):",
        f"- for its words: {probe.worded_alike or 'nothing'} found",
        f"- for its meaning: {meant or 'nothing'} found{nearest}",
    ]


def _bank_lines(bank: BankSummary) -> list[str]:
    pinned = f", {bank.pinned} pinned" if bank.pinned else ""
    lines = [f"{bank.bank} ({bank.count}{pinned})"]
    lines += [f"- {item.content}{' (pinned)' if item.pinned else ''}" for item in bank.items]
    if more := bank.count - len(bank.items):
        lines.append(f"- and {more} more")
    return lines


def _audit_line(entry: AuditEntry) -> str:
    which = "" if entry.item_id is None else f" {str(entry.item_id)[:8]}"
    known = {name: value for name, value in entry.detail.items() if value not in _NOTHING}
    said = ", ".join(f"{name.replace('_', ' ')}: {_short(value)}" for name, value in known.items())
    detail = f" ({said})" if said else ""
    return (
        f"{_moment(entry.created_at)}: {entry.action}{which} by {_ACTOR_NAMES[entry.actor]}{detail}"
    )


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_short(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_short, value)) or "none"
    return str(value)


def _messages_line(proof: ErasureProof) -> str:
    if proof.grave.history == "keep":
        return "Conversations: kept as they are, as you chose"
    return f"Messages that hold it: {proof.probe.alike_messages} of {proof.probe.messages}"


def _recalled_line(recalled: ProofRecall) -> str:
    legs = {"keyword": recalled.keyword, "vector": recalled.vector}
    found = ", ".join(
        f"{name} {'gave no answer' if count is None else f'found {count} others'}"
        for name, count in legs.items()
    )
    return f"The search for your words: {found}; it is{'' if recalled.found else ' not'} among them"


def _removed(removed: Mapping[str, int]) -> str:
    said = [f"{removed[name]} {word}" for name, word in _REMOVED.items() if removed.get(name)]
    if removed.get("caches_cleared"):
        said.append("its cached copies")
    return ", ".join(said) or "nothing was left to remove"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
