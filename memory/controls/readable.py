"""What the controls give back, in sentences for people. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from memory.controls.proof import Probe, Proof, Recalled
from memory.controls.summary import BankSummary, Summary
from memory.store.audit import AuditEntry

_WHO = {
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


def summary_text(summary: Summary) -> str:
    """Bank by bank, the pinned ones marked; empty where nothing is known."""
    return "\n".join(line for bank in summary.banks for line in _bank_lines(bank))


def audit_lines(entries: Iterable[AuditEntry]) -> list[str]:
    """One line for each: when, what and who; never content."""
    return [_audit_line(entry) for entry in entries]


def proof_text(proof: Proof) -> str:
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


def _probe_lines(probe: Probe) -> list[str]:
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
    return f"{_moment(entry.created_at)}: {entry.action}{which} by {_WHO[entry.actor]}{detail}"


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_short(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_short, value)) or "none"
    return str(value)


def _messages_line(proof: Proof) -> str:
    if proof.grave.history == "keep":
        return "Conversations: kept as they are, as you chose"
    return f"Messages that hold it: {proof.probe.alike_messages} of {proof.probe.messages}"


def _recalled_line(recalled: Recalled) -> str:
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


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
