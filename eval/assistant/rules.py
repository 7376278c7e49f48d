"""A reply judged by rules: solved or not, cited or not, invented or not. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.assistant.citing import citing
from eval.assistant.tasks import Task
from eval.assistant.wording import holds_any


@dataclass(frozen=True)
class Reply:
    """What the assistant said to a task, on which memories; `others` are the user's memories that
    it did not recall. `failed` names what kept the turn from being whole."""

    text: str
    recalled: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    failed: str | None = None


@dataclass(frozen=True)
class Verdict:
    """`cited` is None where the reply neither had a memory nor claims one. `invented`: it claims
    one that it did not have."""

    solved: bool
    cited: bool | None
    invented: bool
    faults: tuple[str, ...] = ()


def judge(task: Task, reply: Reply) -> Verdict:
    missing = [each for each in task.needed if not holds_any(reply.text, each)]
    present = [each for each in task.forbidden if holds_any(reply.text, [each])]
    cites = citing(reply.text, reply.recalled, reply.others, task.task)
    used = bool(reply.recalled) or cites.claims
    cited = cites.right if used else None
    return Verdict(
        solved=not (missing or present or reply.failed),
        cited=cited,
        invented=cites.claims and not reply.recalled,
        faults=tuple(_faults(reply, missing, present, cited)),
    )


def _faults(
    reply: Reply,
    missing: Sequence[tuple[str, ...]],
    present: Sequence[str],
    cited: bool | None,
) -> list[str]:
    found = [] if reply.failed is None else [reply.failed]
    found += [f"lacks {each[0]} ({_where(reply, each)})" for each in missing]
    found += [f"has {each}" for each in present]
    return found + (["the citation is not right"] if cited is False else [])


def _where(reply: Reply, wordings: Sequence[str]) -> str:
    """How far a fact came that is not in the reply."""
    if any(holds_any(memory, wordings) for memory in reply.recalled):
        return "recalled and not said"
    kept = any(holds_any(memory, wordings) for memory in reply.others)
    return "kept and not recalled" if kept else "not kept"
